import { t } from '@lingui/core/macro'
import { CloseButton, Kbd, TextInput } from '@mantine/core'
import { type KeyboardEvent, type Ref, useImperativeHandle, useRef } from 'react'
import { IconSearch } from '../../../ui/icons/icons.ts'
import classes from './search-field.module.css'

interface SearchFieldProps {
  ref?: Ref<{ focus(): void }>
  /** The label, which says where it searches; without one it searches all bookmarks. */
  label?: string
  hint?: string
  value: string
  onType(words: string): void
  /** On to the results. */
  onEnter(): void
}

/** The search field. Down and Enter lead to the results, Escape empties it. */
export function SearchField(props: SearchFieldProps) {
  const {
    ref,
    label = t`Search bookmarks`,
    hint = t`Search titles, tags, addresses and text`,
    value,
    onType,
    onEnter
  } = props
  const field = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => ({
    focus() {
      field.current?.focus()
      field.current?.select()
    }
  }))

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' || event.key === 'ArrowDown') {
      event.preventDefault()
      onEnter()
    } else if (event.key === 'Escape' && value !== '') {
      event.preventDefault()
      onType('')
    }
  }
  return (
    <TextInput
      ref={field}
      type="search"
      role="searchbox"
      className={classes.field ?? ''}
      classNames={{ input: classes.input ?? '' }}
      aria-label={label}
      placeholder={hint}
      value={value}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      autoComplete="off"
      spellCheck={false}
      maxLength={1000}
      leftSection={<IconSearch size={17} stroke={1.7} />}
      rightSection={
        value === '' ? (
          <Kbd className={classes.key ?? ''} aria-hidden>
            /
          </Kbd>
        ) : (
          <CloseButton
            size="sm"
            aria-label={t`Clear search`}
            onClick={() => {
              onType('')
              field.current?.focus()
            }}
          />
        )
      }
    />
  )
}
