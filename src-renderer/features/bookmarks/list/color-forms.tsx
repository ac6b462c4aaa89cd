import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'

interface ColorFormsProps {
  color: string
  /** A form that is shown already. */
  title: string
}

/** A color as hex, rgb and oklch, each to be copied with a click. What was typed, until the converter has arrived. */
export function ColorForms({ color, title }: ColorFormsProps) {
  const shown = title.trim().toLowerCase()
  const forms = (useColorForms(color) ?? [color]).filter((form) => form !== shown)
  return forms.map((form) => (
    <button key={form} type="button" tabIndex={-1} data-act="copy" data-value={form} title={t`Copy ${form}`}>
      {form}
    </button>
  ))
}

type Convert = (color: string) => string[]

let convert: Convert | undefined

/** A color as hex, rgb and oklch; none for what is no color. `undefined` until the converter has been loaded. */
export function useColorForms(color: string): string[] | undefined {
  const [ready, setReady] = useState(convert !== undefined)

  useEffect(() => {
    if (ready) return
    let here = true
    import('../color-forms.ts')
      .then((file) => {
        convert = file.colorForms
        if (here) setReady(true)
      })
      .catch(() => {}) // what was typed goes on being shown
    return () => {
      here = false
    }
  }, [ready])

  return ready ? convert?.(color) : undefined
}
