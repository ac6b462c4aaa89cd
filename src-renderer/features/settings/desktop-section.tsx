import { t } from '@lingui/core/macro'
import { Button, Group, Kbd, Stack, Switch, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import type { DashboardBridge, DesktopChange } from '../../../src-main/contract/desktop.ts'
import { queryClient } from '../../api/events.ts'
import { desktopOptions } from '../../api/service-queries.ts'
import { notify, notifyError } from '../../ui/notify.tsx'
import { NotLoaded } from '../../ui/placeholders.tsx'
import { acceleratorOf, keysOf } from './accelerator.ts'
import { Section } from './section.tsx'

const isMac = /Mac/.test(navigator.userAgent)

/** Settings of the desktop app. */
export function DesktopSection({ host }: { host: DashboardBridge }) {
  const { reading, change } = useDesktopSettings(host)
  const settings = reading.data
  if (!settings) return <NotLoaded query={reading} failed={t`The desktop app does not answer.`} />
  return (
    <Section id="desktop" title={t`Desktop app`}>
      {settings.launchAtLogin !== null && (
        <Switch
          label={t`Start at login`}
          description={
            isMac
              ? t`Earmark starts without its window when you log in. macOS may refuse this without a message while Earmark is not signed.`
              : t`Earmark starts without its window when you log in.`
          }
          checked={settings.launchAtLogin}
          onChange={(event) => change({ launchAtLogin: event.currentTarget.checked })}
        />
      )}
      {settings.inMenu !== null && (
        <Switch
          label={t`Show in the applications menu`}
          description={t`Adds Earmark to this desktop’s menu. Links that begin with earmark:// and global shortcuts need this.`}
          checked={settings.inMenu}
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
        checked={settings.tray}
        onChange={(event) => change({ tray: event.currentTarget.checked })}
      />
      <ShortcutField
        title={t`Quick capture`}
        text={t`These keys open it from any program.`}
        value={settings.shortcut}
        refused={settings.shortcutRefused}
        byDesktop={settings.shortcutByDesktop}
        onChange={(shortcut) => change({ shortcut })}
      />
      <ShortcutField
        title={t`Quick find`}
        text={t`These keys open it from any program. In quick capture, press / or Ctrl-K.`}
        value={settings.findShortcut}
        refused={settings.findShortcutRefused}
        byDesktop={settings.shortcutByDesktop}
        onChange={(findShortcut) => change({ findShortcut })}
      />
    </Section>
  )
}

/** Shows a change at once, and reverts it if the desktop refuses it. */
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
    onSuccess(settings) {
      queryClient.setQueryData(options.queryKey, settings)
      if (!settings.shortcutRefused && !settings.findShortcutRefused) notify(t`Saved.`)
    },
    onError(_error, _change, before) {
      queryClient.setQueryData(options.queryKey, before)
      notifyError(new Error(t`The system did not accept this setting.`))
    }
  })
  return { reading: useQuery(options), change: mutate }
}

interface ShortcutFieldProps {
  /** The name of the window that the keys open. */
  title: string
  text: string
  /** An Electron accelerator; `null` for none. */
  value: string | null
  refused: boolean
  /** Whether the desktop decides about the keys, in its own settings. */
  byDesktop: boolean
  onChange: (accelerator: string | null) => void
}

/** The global shortcut of a window. The owner chooses the keys by pressing them. */
function ShortcutField({ title, text, value, refused, byDesktop, onChange }: ShortcutFieldProps) {
  const [recording, setRecording] = useState(false)
  const [fault, setFault] = useState<string>()
  const label = useId()

  function stop() {
    setRecording(false)
    setFault(undefined)
  }

  function record(event: KeyboardEvent) {
    if (!recording || event.key === 'Tab') return
    // While recording, keys have no other effect.
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') return stop()
    const pressed = acceleratorOf(event.nativeEvent, isMac)
    if (pressed === undefined) return
    if (typeof pressed !== 'string') return setFault(faultText(pressed.fault))
    stop()
    onChange(pressed)
  }

  const message =
    fault ??
    (refused && !recording
      ? t`The desktop refuses these keys: another program may have them. Choose others.`
      : undefined)
  return (
    <Stack gap={6} role="group" aria-labelledby={label}>
      <div>
        <Text size="sm" id={label}>
          {title}
        </Text>
        <Text size="xs" c="dimmed">
          {byDesktop
            ? t`These keys open it from any program. Your desktop may ask you to allow them; you can change them in its settings. The desktop also decides where the window opens and whether it gets the focus.`
            : text}
        </Text>
      </div>
      <Group gap="sm">
        {recording ? <Text size="sm">{t`Press the keys, or Esc to cancel`}</Text> : <Keys value={value} />}
        <Button
          variant="default"
          size="xs"
          aria-pressed={recording}
          onClick={() => (recording ? stop() : setRecording(true))}
          onKeyDown={record}
          onBlur={stop}
        >
          {t`Change keys`}
        </Button>
        {value !== null && !recording && (
          <Button variant="subtle" color="gray" size="xs" onClick={() => onChange(null)}>
            {t`Remove keys`}
          </Button>
        )}
      </Group>
      {message && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {message}
        </Text>
      )}
    </Stack>
  )
}

function faultText(fault: 'alone' | 'unknown'): string {
  return fault === 'alone'
    ? t`Hold Ctrl, Alt or the Super (Windows, ⌘) key and press another key. Or press a function key.`
    : t`This key cannot be used.`
}

const MAC_KEYS = { Control: '⌃', Command: '⌘', Alt: '⌥', Shift: '⇧' }

function Keys({ value }: { value: string | null }) {
  if (value === null) {
    return (
      <Text size="sm" c="dimmed">
        {t`None`}
      </Text>
    )
  }
  const names: Record<string, string> = isMac ? MAC_KEYS : { Control: 'Ctrl' }
  return (
    <Group gap={4}>
      {keysOf(value, isMac).map((key) => (
        <Kbd key={key}>{names[key] ?? key}</Kbd>
      ))}
    </Group>
  )
}
