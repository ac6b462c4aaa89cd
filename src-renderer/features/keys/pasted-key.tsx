import { PasswordInput } from '@mantine/core'
import { keys } from '../../strings/keys.ts'

const strings = keys.connect

/** As the service makes them; every one begins alike. */
const WHOLE = /^emk_[0-9A-Za-z]{49}$/

interface PastedKeyProps {
  /** The first letters of the key that is meant. */
  prefix: string
  value: string
  onChange: (value: string) => void
}

/** Asks for a key's secret, which is not kept anywhere from here. */
export function PastedKey({ prefix, value, onChange }: PastedKeyProps) {
  return (
    <PasswordInput
      label={strings.paste}
      description={strings.pasteText}
      error={faultOf(prefix, value)}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
      autoComplete="off"
    />
  )
}

/** Whether a text is the whole secret of the key that begins so. */
export function isKeyOf(prefix: string, text: string): boolean {
  return WHOLE.test(text) && text.startsWith(prefix)
}

function faultOf(prefix: string, text: string): string | undefined {
  if (text === '' || isKeyOf(prefix, text)) return undefined
  return WHOLE.test(text) ? strings.pastedOther(prefix) : strings.pastedPart
}
