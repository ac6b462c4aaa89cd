import { Button, Text } from '@mantine/core'
import type { Relaxed } from '../../../../src-main/contract/bookmark.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import classes from './loosened.module.css'

interface LoosenedProps {
  relaxed: Relaxed
  /** The words that were searched for instead of single ones. */
  hint: string | undefined
  onSearch(words: string): void
}

/** Says above the list that no bookmark holds all words, with those struck through that none of them holds. */
export function Loosened({ relaxed, hint, onSearch }: LoosenedProps) {
  const { words, absent, exactly } = relaxed
  return (
    <div className={classes.loosened} role="note" aria-label={hint}>
      <Text size="sm" c="dimmed" className={classes.words}>
        {strings.loosened}{' '}
        {words.map((word) => (absent.includes(word) ? <s key={word}>{word}</s> : <b key={word}>{word}</b>))}
      </Text>
      {exactly !== undefined && (
        <Button variant="subtle" size="compact-sm" flex="none" me={-8} onClick={() => onSearch(exactly)}>
          {strings.searchExactly}
        </Button>
      )}
    </div>
  )
}
