-- Erasing a customer takes the words out of records that are otherwise only ever added to; nothing else of them can be changed.
grant update (note) on customer_activity, vehicle_history to galeri_app;
