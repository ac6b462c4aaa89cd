import { DirectionProvider, MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { Route, Switch } from 'wouter'
import { Login } from '../features/login/login.tsx'
import { queryClient } from '../shared/query-client.ts'
import { Dashboard } from './dashboard.tsx'
import { cssVariables, theme } from './theme.ts'

/** The width of the rail while it is shown. */
const RAIL = 'var(--app-shell-navbar-offset, 0px)'

/** Everything: what all pages share, and the one the address names. */
export function App() {
  return (
    <DirectionProvider>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <QueryClientProvider client={queryClient}>
          <ModalsProvider>
            <Switch>
              <Route path="/login" component={Login} />
              <Route component={Dashboard} />
            </Switch>
          </ModalsProvider>
          {/* Above the page, below the rail and dialogs: what one chooses there is never under a toast. */}
          <Notifications
            position="bottom-center"
            zIndex={99}
            pauseResetOnHover="notification"
            style={{ left: `calc((100% + ${RAIL}) / 2)`, width: `calc(100% - ${RAIL} - 2rem)` }}
          />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  )
}
