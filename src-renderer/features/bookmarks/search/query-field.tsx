import { t } from '@lingui/core/macro'
import { CloseButton, Combobox, Group, Kbd, Pill, PillsInput, Text, useCombobox, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  type ChangeEvent,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState
} from 'react'
import { organizationsOptions, sitesOptions, tagsOptions, tagTreeOptions } from '../../../api/queries.ts'
import { joinText, readText, wordBefore } from '../../../lib/filters.ts'
import { nodesIn } from '../../../lib/tag-tree.ts'
import { IconSearch } from '../../../ui/icons/icons.ts'
import { useChipLabels } from './chips.ts'
import type * as Completing from './completions.ts'
import type { Completion } from './completions.ts'
import classes from './search-bar.module.css'

interface QueryFieldProps {
  ref?: Ref<{ focus(): void }>
  /** Words and filters. */
  text: string
  /** @param isOpen whether the last word is not complete */
  onType(text: string, isOpen: boolean): void
  /** The text is another one as a whole: a filter was removed, or all of it. */
  onSet(text: string): void
  /** On to the results. */
  onEnter(): void
  /** The field lost the focus: what was typed is complete. */
  onLeave(): void
}

/** The text in two parts: filters that are chips, and what the input holds. */
interface Parts {
  text: string
  sources: string[]
  rest: string
}

function partsOf(text: string): Parts {
  const { filters, rest } = readText(text)
  return { text, sources: filters.map(({ source }) => source), rest: rest.trim() }
}

/**
 * The search field: a text whose filters are chips before an input with the rest of it. A typed filter becomes a chip at
 * the space after it; Backspace before the rest makes text of the last chip, Ctrl-A of all, so that the browser's own
 * copy, cut and selection work on them. Decision 042 has the reasons.
 */
export function QueryField({ ref, text, onType, onSet, onEnter, onLeave }: QueryFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const [stored, setParts] = useState(() => partsOf(text))
  const parts = stored.text === text ? stored : partsOf(text)
  if (parts !== stored) setParts(parts)
  const { sources, rest } = parts
  const labels = useChipLabels(sources)
  const select = useSelection(field)
  const change = (next: Omit<Parts, 'text'>) => {
    const joined = joinText(next.sources, next.rest)
    setParts({ ...next, text: joined })
    onType(joined, /\S$/.test(next.rest))
  }
  const step = useTextHistory(text, (next) => onType(next, false))
  const offers = useCompletions(parts, field)
  useImperativeHandle(ref, () => ({
    focus() {
      field.current?.focus()
      field.current?.select()
    }
  }))

  function onChange({ currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>) {
    const { value, selectionStart } = currentTarget
    const caret = selectionStart ?? value.length
    offers.moved()
    if ((nativeEvent as InputEvent).isComposing) return change({ sources, rest: value })
    const read = readText(value, caret)
    if (read.filters.length > 0) select(caret - (value.length - read.rest.length))
    change({ sources: [...sources, ...read.filters.map(({ source }) => source)], rest: read.rest })
  }
  function take({ source }: Completion) {
    const caret = field.current?.selectionStart ?? rest.length
    const before = rest.slice(0, caret - wordBefore(rest, caret).length)
    const after = rest.slice(caret)
    const isName = source.endsWith(':')
    offers.moved()
    if (isName) {
      change({ sources, rest: before + source + after })
      select(before.length + source.length)
      return
    }
    // Beside OR and NOT and in brackets it stays text.
    const value = `${before}${source} ${after.trimStart()}`
    const end = before.length + source.length + 1
    const read = readText(value, end)
    change({ sources: [...sources, ...read.filters.map((filter) => filter.source)], rest: read.rest.trimStart() })
    select(Math.max(0, end - (value.length - read.rest.trimStart().length)))
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const { key, currentTarget, nativeEvent } = event
    if (nativeEvent.isComposing) return
    // Mantine moves the choice after this, and names it to screen readers only then.
    if (offers.opened) queueMicrotask(offers.chosen)
    const command = (event.ctrlKey || event.metaKey) && !event.altKey
    const last = sources.at(-1)
    const atStart = currentTarget.selectionStart === 0 && currentTarget.selectionEnd === 0
    if (command && /^[zy]$/i.test(key)) step(key.toLowerCase() === 'y' || event.shiftKey ? 1 : -1)
    else if (command && key.toLowerCase() === 'a' && last !== undefined) {
      setParts({ text, sources: [], rest: text })
      select(0, text.length)
    } else if (key === 'Backspace' && atStart && last !== undefined) {
      select(last.length)
      change({ sources: sources.slice(0, -1), rest: joinText([last], rest) })
    } else if (key === 'Enter' && !offers.isChosen()) {
      setParts(partsOf(text))
      onEnter()
    } else if (key === 'ArrowDown' && !offers.opened) onEnter()
    else if (key === 'Escape' && !offers.opened && text !== '') onSet('')
    else return
    event.preventDefault()
  }
  return (
    <Combobox
      store={offers.store}
      onOptionSubmit={(source) =>
        take(offers.completions.find((one) => one.source === source) ?? { source, label: '' })
      }
      shadow="md"
      // Among the landmarks of the page, as the field is.
      withinPortal={false}
    >
      <Combobox.DropdownTarget>
        <PillsInput
          flex={1}
          miw={0}
          classNames={{ input: classes.input ?? '' }}
          leftSection={<IconSearch size={17} stroke={1.7} />}
          rightSection={
            text === '' ? (
              <Kbd fz="xs" style={{ pointerEvents: 'none' }} aria-hidden>
                /
              </Kbd>
            ) : (
              <CloseButton
                size="sm"
                aria-label={t`Clear search`}
                onClick={() => {
                  onSet('')
                  field.current?.focus()
                }}
              />
            )
          }
        >
          <Pill.Group gap={6}>
            {sources.length > 0 && (
              <Group component="ul" gap={6} className={`plain ${classes.chips}`} aria-label={t`Filters`}>
                {labels.map((label, index) => (
                  <li key={sources[index]} className={classes.chip}>
                    <Pill
                      size="md"
                      bg="light-dark(#e1e5ed, #3a3f4b)"
                      withRemoveButton
                      onRemove={() => {
                        onSet(joinText(sources.toSpliced(index, 1), rest))
                        field.current?.focus()
                      }}
                      removeButtonProps={{ 'aria-label': t`Remove filter ${label}`, 'aria-hidden': false, tabIndex: 0 }}
                    >
                      {label}
                    </Pill>
                  </li>
                ))}
              </Group>
            )}
            <Combobox.EventsTarget
              withKeyboardNavigation={offers.opened}
              withExpandedAttribute
              aria-activedescendant={offers.active}
            >
              <PillsInput.Field
                ref={field}
                className={classes.text ?? ''}
                aria-label={t`Search bookmarks`}
                aria-autocomplete="list"
                placeholder={sources.length > 0 ? undefined : t`Search titles, tags, addresses and text`}
                value={rest}
                onChange={onChange}
                onKeyDown={onKeyDown}
                onSelect={offers.follow}
                onFocus={offers.focused}
                onBlur={() => {
                  offers.left()
                  setParts(partsOf(text))
                  onLeave()
                }}
                spellCheck={false}
                maxLength={1000}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={t`Filters and their values`} mah={320} style={{ overflowY: 'auto' }}>
          {offers.completions.map(({ source, label, beside }) => (
            <Combobox.Option key={source} value={source}>
              <Group gap="sm" wrap="nowrap" justify="space-between">
                <Text size="sm" truncate>
                  {label}
                </Text>
                <Text size="xs" c="inherit" opacity={0.8} flex="none">
                  {beside ?? source}
                </Text>
              </Group>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
      <Announced labels={labels} />
    </Combobox>
  )
}

/** Sets the selection of a field once it is drawn, and before the next key. */
function useSelection(field: React.RefObject<HTMLInputElement | null>) {
  const [wanted, setWanted] = useState<{ start: number; end: number }>()
  useLayoutEffect(() => {
    if (wanted) field.current?.setSelectionRange(wanted.start, wanted.end)
  }, [wanted, field])
  return (start: number, end = start) => setWanted({ start, end })
}

/** Within this time changes are undone together, in milliseconds. */
const GROUP_MS = 600

/** Undo and redo of a text, however it was changed: typed, pasted, or chosen in a menu. */
function useTextHistory(text: string, restore: (text: string) => void): (by: 1 | -1) => void {
  const history = useRef({ texts: [text], at: 0, time: 0 })
  useEffect(() => {
    const { texts, at, time } = history.current
    if (texts[at] === text) return
    const now = performance.now()
    const isOneChange = now - time < GROUP_MS && at > 0
    texts.splice(isOneChange ? at : at + 1, texts.length, text)
    history.current = { texts, at: texts.length - 1, time: isOneChange ? time : now }
  }, [text])
  return (by) => {
    const { texts, at } = history.current
    const next = texts[at + by]
    if (next === undefined) return
    history.current = { texts, at: at + by, time: 0 }
    restore(next)
  }
}

/** Completions of the word at the caret. Their list is open while there are any, until Escape closes it. */
function useCompletions({ text, rest }: Parts, field: React.RefObject<HTMLInputElement | null>) {
  const [hasFocus, setFocus] = useState(false)
  const [dismissed, setDismissed] = useState(false)
  const [caret, setCaret] = useState(0)
  const [active, setActive] = useState<string>()
  // Loaded with the first focus.
  const [completing, setCompleting] = useState<typeof Completing>()
  const word = hasFocus ? wordBefore(rest, caret) : ''
  const site = /^-?site:"?(.+)/i.exec(word)?.[1]
  const known = {
    tags: [
      ...(useQuery({ ...tagsOptions, enabled: hasFocus }).data ?? []),
      ...nodesIn(useQuery({ ...tagTreeOptions, enabled: hasFocus }).data ?? []).filter(({ isTag }) => !isTag)
    ],
    organizations: useQuery({ ...organizationsOptions, enabled: hasFocus }).data ?? [],
    sites: useQuery(sitesOptions(site)).data ?? []
  }
  const found =
    hasFocus && completing ? (text === '' ? completing.allFilters() : completing.completionsOf(word, known)) : []
  const completions = found.filter(({ source }) => source !== word)
  const opened = completions.length > 0 && !dismissed
  const store = useCombobox({ opened, onDropdownClose: () => setDismissed(true) })
  // What is typed whole is meant: Enter must not take a longer one.
  const isWhole = found.length > completions.length
  const first = /[:#]./.test(word) && opened && !isWhole ? completions[0]?.source : undefined
  const { selectFirstOption, resetSelectedOption } = store
  // biome-ignore lint/correctness/useExhaustiveDependencies: other completions are in the list
  useEffect(() => {
    if (first === undefined) resetSelectedOption()
    setActive(first === undefined ? undefined : (selectFirstOption() ?? undefined))
  }, [first, word, text])
  return {
    completions,
    opened,
    store,
    active: opened ? active : undefined,
    chosen: () => setActive(document.querySelector(`[id="${store.listId}"] [data-combobox-selected]`)?.id),
    isChosen: () => opened && store.getSelectedOptionIndex() >= 0,
    follow: () => setCaret(field.current?.selectionStart ?? 0),
    moved() {
      setDismissed(false)
      setCaret(field.current?.selectionStart ?? 0)
    },
    focused() {
      setFocus(true)
      setDismissed(false)
      if (!completing) void import('./completions.ts').then(setCompleting)
    },
    left: () => setFocus(false)
  }
}

/** Tells screen readers which filters were added and removed. */
function Announced({ labels }: { labels: string[] }) {
  const [said, setSaid] = useState('')
  const before = useRef(labels)
  const all = labels.join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the labels are another array each time
  useEffect(() => {
    const added = labels.filter((label) => !before.current.includes(label))
    const removed = before.current.filter((label) => !labels.includes(label))
    const sentences = [
      ...added.map((label) => t`Filter added: ${label}`),
      ...removed.map((label) => t`Filter removed: ${label}`)
    ]
    before.current = labels
    if (sentences.length > 0) setSaid(sentences.join('. '))
  }, [all])
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {said}
    </VisuallyHidden>
  )
}
