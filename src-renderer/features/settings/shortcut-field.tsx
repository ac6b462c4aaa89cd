import { t } from '@lingui/core/macro'
import { Button, Group, Kbd, Stack, Text } from '@mantine/core'
import { type KeyboardEvent, useId, useState } from 'react'
import { acceleratorOf, keysOf } from './accelerator.ts'

interface ShortcutFieldProps {
  /** The name of the window that the keys open. */
  title: string
  text: string
  /** As Electron writes it; `null` for none. */
  value: string | null
  refused: boolean
  /** The desktop has the last word, and says so in settings of its own. */
  byDesktop: boolean
  isMac: boolean
  onChange: (accelerator: string | null) => void
}

/** The keys that open something from any program, chosen by pressing them. */
export function ShortcutField({ title, text, value, refused, byDesktop, isMac, onChange }: ShortcutFieldProps) {
  const [recording, setRecording] = useState(false)
  const [fault, setFault] = useState<string>()
  const label = useId()

  function stop() {
    setRecording(false)
    setFault(undefined)
  }

  function record(event: KeyboardEvent) {
    if (!recording || event.key === 'Tab') return
    // Here they are keys to choose, and nothing else.
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
            ? t`These keys open quick capture from any program. Your desktop may ask you to allow them; you can change them in its settings. The desktop also decides where the window opens and whether it gets the focus.`
            : text}
        </Text>
      </div>
      <Group gap="sm">
        {recording ? (
          <Text size="sm">{t`Press the keys, or Esc to cancel`}</Text>
        ) : (
          <Keys value={value} isMac={isMac} />
        )}
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

function Keys({ value, isMac }: { value: string | null; isMac: boolean }) {
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
