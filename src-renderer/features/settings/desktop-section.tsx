import { Switch } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { DashboardBridge, DesktopChange } from '../../../src-main/contract/desktop.ts'
import { queryClient } from '../../api/events.ts'
import { desktopOptions } from '../../api/service-queries.ts'
import { desktop as strings } from '../../strings/desktop.ts'
import { settings } from '../../strings/settings.ts'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { notify, notifyError } from '../../ui/notify.tsx'
import { Section } from './section.tsx'
import { ShortcutField } from './shortcut-field.tsx'

const isMac = /Mac/.test(navigator.userAgent)

/** Settings of the desktop app around its window. Its menus change the same ones, so they are read again each time. */
export function DesktopSection({ host }: { host: DashboardBridge }) {
  const { reading, change } = useDesktopSettings(host)
  const now = reading.data
  if (!now) return <NotLoaded query={reading} failed={strings.failed} />
  return (
    <Section id="desktop" title={strings.title}>
      {now.launchAtLogin !== null && (
        <Switch
          label={strings.launch}
          description={isMac ? strings.launchTextMac : strings.launchText}
          checked={now.launchAtLogin}
          onChange={(event) => change({ launchAtLogin: event.currentTarget.checked })}
        />
      )}
      {now.inMenu !== null && (
        <Switch
          label={strings.inMenu}
          description={strings.inMenuText}
          checked={now.inMenu}
          onChange={(event) => change({ inMenu: event.currentTarget.checked })}
        />
      )}
      <Switch
        label={isMac ? strings.trayMac : strings.tray}
        description={isMac ? strings.trayMacText : strings.trayText}
        checked={now.tray}
        onChange={(event) => change({ tray: event.currentTarget.checked })}
      />
      <ShortcutField
        title={strings.shortcut}
        text={strings.shortcutText}
        value={now.shortcut}
        refused={now.shortcutRefused}
        byDesktop={now.shortcutByDesktop}
        isMac={isMac}
        onChange={(shortcut) => change({ shortcut })}
      />
      <ShortcutField
        title={strings.find}
        text={strings.findText}
        value={now.findShortcut}
        refused={now.findShortcutRefused}
        byDesktop={now.shortcutByDesktop}
        isMac={isMac}
        onChange={(findShortcut) => change({ findShortcut })}
      />
    </Section>
  )
}

/** Shows a change at once, and takes it back where the desktop does not take it. */
function useDesktopSettings(host: DashboardBridge) {
  const options = desktopOptions(host)
  const { mutate } = useMutation({
    mutationFn: (change: DesktopChange) => host.changeSettings(change),
    meta: { quiet: true },
    onMutate({ shortcut: _, findShortcut: _find, ...switched }) {
      const before = queryClient.getQueryData(options.queryKey)
      if (before) queryClient.setQueryData(options.queryKey, { ...before, ...switched })
      return before
    },
    onSuccess(now) {
      queryClient.setQueryData(options.queryKey, now)
      if (!now.shortcutRefused && !now.findShortcutRefused) notify(settings.saved)
    },
    onError(_error, _change, before) {
      queryClient.setQueryData(options.queryKey, before)
      notifyError(new Error(strings.notTaken))
    }
  })
  return { reading: useQuery(options), change: mutate }
}
