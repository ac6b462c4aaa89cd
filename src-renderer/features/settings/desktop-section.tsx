import { t } from '@lingui/core/macro'
import { Switch } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { DashboardBridge, DesktopChange } from '../../../src-main/contract/desktop.ts'
import { queryClient } from '../../api/events.ts'
import { desktopOptions } from '../../api/service-queries.ts'
import { notify, notifyError } from '../../ui/notify.tsx'
import { NotLoaded } from '../../ui/placeholders.tsx'
import { Section } from './section.tsx'
import { ShortcutField } from './shortcut-field.tsx'

const isMac = /Mac/.test(navigator.userAgent)

/** Settings of the desktop app around its window. Its menus change the same ones, so they are read again each time. */
export function DesktopSection({ host }: { host: DashboardBridge }) {
  const { reading, change } = useDesktopSettings(host)
  const now = reading.data
  if (!now) return <NotLoaded query={reading} failed={t`The desktop app does not answer.`} />
  return (
    <Section id="desktop" title={t`Desktop app`}>
      {now.launchAtLogin !== null && (
        <Switch
          label={t`Start at login`}
          description={
            isMac
              ? t`Earmark starts without its window when you log in. macOS may refuse this without a message while Earmark is not signed.`
              : t`Earmark starts without its window when you log in.`
          }
          checked={now.launchAtLogin}
          onChange={(event) => change({ launchAtLogin: event.currentTarget.checked })}
        />
      )}
      {now.inMenu !== null && (
        <Switch
          label={t`Show in the applications menu`}
          description={t`Adds Earmark to this desktop’s menu. Links that begin with earmark:// and global shortcuts need this.`}
          checked={now.inMenu}
          onChange={(event) => change({ inMenu: event.currentTarget.checked })}
        />
      )}
      <Switch
        label={isMac ? t`Show in the menu bar` : t`Keep in the tray`}
        description={
          isMac
            ? t`Its menu opens the window and quick capture.`
            : t`Earmark keeps running when you close the window, so your editors stay connected. Not every desktop shows a tray.`
        }
        checked={now.tray}
        onChange={(event) => change({ tray: event.currentTarget.checked })}
      />
      <ShortcutField
        title={t`Quick capture`}
        text={t`These keys open it from any program.`}
        value={now.shortcut}
        refused={now.shortcutRefused}
        byDesktop={now.shortcutByDesktop}
        isMac={isMac}
        onChange={(shortcut) => change({ shortcut })}
      />
      <ShortcutField
        title={t`Quick find`}
        text={t`These keys open it from any program. In quick capture, press / or Ctrl-K.`}
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
      if (!now.shortcutRefused && !now.findShortcutRefused) notify(t`Saved.`)
    },
    onError(_error, _change, before) {
      queryClient.setQueryData(options.queryKey, before)
      notifyError(new Error(t`The system did not accept this setting.`))
    }
  })
  return { reading: useQuery(options), change: mutate }
}
