import { TagsInput } from '@mantine/core'
import { LIMITS } from '../../../src-main/contract/bookmark.ts'
import { useTags } from '../../shared/bookmark-data.ts'

interface TagsFieldProps {
  label: string
  value: string[]
  onChange(tags: string[]): void
  /** Why they cannot be saved as they are. */
  error?: string | undefined
  autofocus?: boolean
  /** Its suggestions belong to a popover, which would otherwise close on a click on one. */
  inPopover?: boolean
}

/** Tags, with those already in use suggested. */
export function TagsField({ label, value, onChange, error, autofocus = false, inPopover = false }: TagsFieldProps) {
  const tags = useTags()
  return (
    <TagsInput
      label={label}
      data={(tags.data ?? []).map(({ name }) => name)}
      value={value}
      error={error}
      onChange={(next) => onChange(next.map((tag) => tag.replace(/^#/, '').trim()).filter(Boolean))}
      limit={20}
      maxTags={LIMITS.tags}
      acceptValueOnBlur
      splitChars={[',']}
      comboboxProps={{ withinPortal: !inPopover, shadow: 'md' }}
      data-autofocus={autofocus || undefined}
    />
  )
}
