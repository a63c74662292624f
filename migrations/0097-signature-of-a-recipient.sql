-- The signature that a recipient draws or types on the signing page, sealed; it is erased with the document.
alter table document_recipients add column signature_encrypted bytea check (octet_length(signature_encrypted) <= 20000);
