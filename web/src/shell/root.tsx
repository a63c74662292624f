// Above every screen: the layers that parts open (dialogs, tooltips) and what shows while the session is read.
import { CSPProvider } from '@base-ui/react/csp-provider';
import { createRootRoute, Outlet } from '@tanstack/react-router';
import { TooltipLayer } from '../parts/tooltip.tsx';

export const rootRoute = createRootRoute({
  component: () => (
    // The content policy allows no style elements; what Base UI would put into them stands in our style sheet.
    <CSPProvider disableStyleElements>
      <TooltipLayer>
        <Outlet />
      </TooltipLayer>
    </CSPProvider>
  ),
});
