import { notifications } from '@mantine/notifications'
import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App, prefetchPage } from '../../src-renderer/app/app.tsx'

/**
 * Shows the dashboard in the current window, as the page's `main.tsx` does.
 *
 * @returns removes it
 */
export function showDashboard(): () => void {
  const element = document.body.appendChild(document.createElement('div'))
  prefetchPage(location)
  const root = createRoot(element)
  root.render(createElement(StrictMode, null, createElement(App)))
  return () => {
    notifications.clean()
    root.unmount()
  }
}
