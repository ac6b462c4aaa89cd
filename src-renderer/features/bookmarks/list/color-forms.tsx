import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { useColorForms } from '../use-color-forms.ts'

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
    <button key={form} type="button" tabIndex={-1} data-act="copy" data-value={form} title={strings.copyColor(form)}>
      {form}
    </button>
  ))
}
