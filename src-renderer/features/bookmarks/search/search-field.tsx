import { t } from '@lingui/core/macro'
import { CloseButton, TextInput } from '@mantine/core'
import type { KeyboardEvent, Ref } from 'react'
import { IconSearch } from '../../../ui/icons/icons.ts'
import classes from './search-bar.module.css'

interface SearchFieldProps {
  ref?: Ref<HTMLInputElement>
  label: string
  hint: string
  value: string
  onType(words: string): void
  /** Called to move the focus to the results. */
  onEnter(): void
}

/** A search field for words, without filters. Down and Enter move to the results, Escape clears the field. */
export function SearchField({ ref, label, hint, value, onType, onEnter }: SearchFieldProps) {
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
      ref={ref}
      type="search"
      role="searchbox"
      flex={1}
      miw={0}
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
        value !== '' && (
          <CloseButton
            size="sm"
            aria-label={t`Clear search`}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onType('')}
          />
        )
      }
    />
  )
}
