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
import type * as CompletionsModule from './completions.ts'
import type { Completion } from './completions.ts'
import classes from './search-bar.module.css'

interface QueryFieldProps {
  ref?: Ref<{ focus(): void }>
  /** Words and filters. */
  text: string
  /** @param isOpen whether the last word is not complete */
  onType(text: string, isOpen: boolean): void
  /** Called when the text is replaced: a filter was removed, or the field was cleared. */
  onSet(text: string): void
  /** Called to move the focus to the results. */
  onEnter(): void
  /** Called when the field loses the focus, so that the last word is complete. */
  onLeave(): void
}

/** A text, its filters that are chips, and the rest of it, which is in the input. */
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
 * The search field: filters are chips, the rest of the text is in an input after them. A filter becomes a chip when a
 * space is typed after it. Backspace at the start of the input turns the last chip into text, and Ctrl-A all of them, so
 * that the browser's own copy, cut and selection work on them. Decision 042 has the reasons.
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
  const moveInHistory = useTextHistory(text, (next) => onType(next, false))
  const completing = useCompletions(parts, field)
  useImperativeHandle(ref, () => ({
    focus() {
      field.current?.focus()
      field.current?.select()
    }
  }))

  function onChange({ currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>) {
    const { value, selectionStart } = currentTarget
    const caret = selectionStart ?? value.length
    completing.reopen()
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
    completing.reopen()
    if (isName) {
      change({ sources, rest: before + source + after })
      select(before.length + source.length)
      return
    }
    // Next to OR or NOT, and in brackets, the filter stays text.
    const value = `${before}${source} ${after.trimStart()}`
    const end = before.length + source.length + 1
    const read = readText(value, end)
    change({ sources: [...sources, ...read.filters.map((filter) => filter.source)], rest: read.rest.trimStart() })
    select(Math.max(0, end - (value.length - read.rest.trimStart().length)))
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const { key, currentTarget, nativeEvent } = event
    if (nativeEvent.isComposing) return
    // Mantine selects another option after this handler. Then `aria-activedescendant` is updated.
    if (completing.opened) queueMicrotask(completing.updateActive)
    const command = (event.ctrlKey || event.metaKey) && !event.altKey
    const last = sources.at(-1)
    const atStart = currentTarget.selectionStart === 0 && currentTarget.selectionEnd === 0
    if (command && /^[zy]$/i.test(key)) moveInHistory(key.toLowerCase() === 'y' || event.shiftKey ? 1 : -1)
    else if (command && key.toLowerCase() === 'a' && last !== undefined) {
      setParts({ text, sources: [], rest: text })
      select(0, text.length)
    } else if (key === 'Backspace' && atStart && last !== undefined) {
      select(last.length)
      change({ sources: sources.slice(0, -1), rest: joinText([last], rest) })
    } else if (key === 'Enter' && !completing.isChosen()) {
      setParts(partsOf(text))
      onEnter()
    } else if (key === 'ArrowDown' && !completing.opened) onEnter()
    else if (key === 'Escape' && !completing.opened && text !== '') onSet('')
    else return
    event.preventDefault()
  }
  return (
    <Combobox
      store={completing.store}
      onOptionSubmit={(source) =>
        take(completing.completions.find((completion) => completion.source === source) ?? { source, label: '' })
      }
      shadow="md"
      // In the landmark of the field.
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
              withKeyboardNavigation={completing.opened}
              withExpandedAttribute
              aria-activedescendant={completing.active}
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
                onSelect={completing.onSelect}
                onFocus={completing.onFocus}
                onBlur={() => {
                  completing.onBlur()
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
          {completing.completions.map(({ source, label, beside }) => (
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
      <Announcement labels={labels} />
    </Combobox>
  )
}

/** Returns a function that sets the selection of a field after the next render. */
function useSelection(field: React.RefObject<HTMLInputElement | null>) {
  const [selection, setSelection] = useState<{ start: number; end: number }>()
  useLayoutEffect(() => {
    if (selection) field.current?.setSelectionRange(selection.start, selection.end)
  }, [selection, field])
  return (start: number, end = start) => setSelection({ start, end })
}

/** Changes within this time are undone together, in ms. */
const GROUP_MS = 600

/** Returns a function that undoes and redoes changes of the text, also those that were not typed. */
function useTextHistory(text: string, restore: (text: string) => void): (by: 1 | -1) => void {
  const history = useRef({ texts: [text], index: 0, time: 0 })
  useEffect(() => {
    const { texts, index, time } = history.current
    if (texts[index] === text) return
    const now = performance.now()
    const isSameChange = now - time < GROUP_MS && index > 0
    texts.splice(isSameChange ? index : index + 1, texts.length, text)
    history.current = { texts, index: texts.length - 1, time: isSameChange ? time : now }
  }, [text])
  return (by) => {
    const { texts, index } = history.current
    const next = texts[index + by]
    if (next === undefined) return
    history.current = { texts, index: index + by, time: 0 }
    restore(next)
  }
}

/** The completions of the word at the caret. Their list is open until there are none, or until Escape closes it. */
function useCompletions({ text, rest }: Parts, field: React.RefObject<HTMLInputElement | null>) {
  const [hasFocus, setFocus] = useState(false)
  const [dismissed, setDismissed] = useState(false)
  const [caret, setCaret] = useState(0)
  const [active, setActive] = useState<string>()
  // Loaded when the field gets the focus first.
  const [module, setModule] = useState<typeof CompletionsModule>()
  const word = hasFocus ? wordBefore(rest, caret) : ''
  const site = /^-?site:"?(.+)/i.exec(word)?.[1]
  const names = {
    tags: [
      ...(useQuery({ ...tagsOptions, enabled: hasFocus }).data ?? []),
      ...nodesIn(useQuery({ ...tagTreeOptions, enabled: hasFocus }).data ?? []).filter(({ isTag }) => !isTag)
    ],
    organizations: useQuery({ ...organizationsOptions, enabled: hasFocus }).data ?? [],
    sites: useQuery(sitesOptions(site)).data ?? []
  }
  const matches = hasFocus && module ? (text === '' ? module.allFilters() : module.completionsOf(word, names)) : []
  const completions = matches.filter(({ source }) => source !== word)
  const opened = completions.length > 0 && !dismissed
  const store = useCombobox({ opened, onDropdownClose: () => setDismissed(true) })
  // If a completion is typed completely, Enter must not take a longer one.
  const isComplete = matches.length > completions.length
  const first = /[:#]./.test(word) && opened && !isComplete ? completions[0]?.source : undefined
  const { selectFirstOption, resetSelectedOption } = store
  // biome-ignore lint/correctness/useExhaustiveDependencies: the completions depend on the word and the text
  useEffect(() => {
    if (first === undefined) resetSelectedOption()
    setActive(first === undefined ? undefined : (selectFirstOption() ?? undefined))
  }, [first, word, text])
  return {
    completions,
    opened,
    store,
    active: opened ? active : undefined,
    updateActive: () => setActive(document.querySelector(`[id="${store.listId}"] [data-combobox-selected]`)?.id),
    isChosen: () => opened && store.getSelectedOptionIndex() >= 0,
    onSelect: () => setCaret(field.current?.selectionStart ?? 0),
    reopen() {
      setDismissed(false)
      setCaret(field.current?.selectionStart ?? 0)
    },
    onFocus() {
      setFocus(true)
      setDismissed(false)
      if (!module) void import('./completions.ts').then(setModule)
    },
    onBlur: () => setFocus(false)
  }
}

/** Announces added and removed filters to screen readers. */
function Announcement({ labels }: { labels: string[] }) {
  const [message, setMessage] = useState('')
  const before = useRef(labels)
  const all = labels.join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the array of labels is new in each render
  useEffect(() => {
    const added = labels.filter((label) => !before.current.includes(label))
    const removed = before.current.filter((label) => !labels.includes(label))
    const sentences = [
      ...added.map((label) => t`Filter added: ${label}`),
      ...removed.map((label) => t`Filter removed: ${label}`)
    ]
    before.current = labels
    if (sentences.length > 0) setMessage(sentences.join('. '))
  }, [all])
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {message}
    </VisuallyHidden>
  )
}
