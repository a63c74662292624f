// The root of all screens: providers for layers (dialogs, tooltips), and the placeholder while the session is loading.
import { CSPProvider } from '@base-ui/react/csp-provider';
import { createRootRoute, Outlet } from '@tanstack/react-router';
import { TooltipLayer } from '../parts/overlay/tooltip.tsx';

export const rootRoute = createRootRoute({
  component: () => (
    // The content security policy allows no style elements, so Base UI's styles are in our style sheet.
    <CSPProvider disableStyleElements>
      <TooltipLayer>
        <Outlet />
      </TooltipLayer>
    </CSPProvider>
  ),
});
