import { msg, plural, t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { TRASH_DAYS } from '../../../src-main/contract/bookmark.ts'
import { isState, type State } from '../../../src-main/contract/tag-names.ts'
import { api, ask } from '../../api/client.ts'
import { longWork } from '../../api/long-work.tsx'
import type { RuleBody } from '../../api/rules.ts'
import { notifyWithUndo } from '../../api/undo.ts'
import { quoted, shorten } from '../../lib/labels.ts'
import { i18n, list, number } from '../../lib/locale.ts'
import { confirm, startRule } from '../../shared/dialogs.ts'
import type { Chosen } from './list/selection.ts'
import type { Leaving } from './list/use-list.ts'
import { ruleFor, type ShownList } from './rules/rule-query.ts'

type Change = Parameters<typeof api.bookmarks.changes.$post>[0]['json']['change']

/** The target of a move: an organization, or the owner's private or public bookmarks. */
type MovePlace = 'private' | 'public' | { organization: string; name: string }

/** Returns the message after a change: the number of bookmarks, or the name of the only one. */
function doneText(change: Change, count: number, { name, place }: Named): string {
  switch (change.kind) {
    case 'tags':
      return taggedText(count, change.add ?? [], change.remove ?? [])
    case 'move':
      return typeof place === 'object'
        ? t`${plural(count, { one: '# bookmark', other: '# bookmarks' })} moved to ${place.name}.`
        : place === 'public'
          ? t`${plural(count, { one: '# bookmark', other: '# bookmarks' })} made public.`
          : t`${plural(count, { one: '# bookmark', other: '# bookmarks' })} made private.`
    case 'delete':
      return t`${named(count, name)} moved to the trash.`
    case 'restore':
      return t`${named(count, name)} restored.`
    case 'purge':
      return t`${plural(count, { one: '# bookmark', other: '# bookmarks' })} deleted permanently.`
    case 'follow':
      return t`${plural(count, { one: '# bookmark has', other: '# bookmarks have' })} the new address.`
  }
}

function taggedText(count: number, add: string[], remove: string[]): string {
  const [only = '', more] = [...add, ...remove]
  const bookmarks = plural(count, { one: '# bookmark', other: '# bookmarks' })
  if (isState(only) && (more === undefined || (add.length === 1 && remove.every(isState))))
    return add.length > 0 ? turnedOn(only, bookmarks) : turnedOff(only, bookmarks)
  if (add.length > 0 && remove.length > 0) return t`Tags of ${bookmarks} changed.`
  const tags = list.format([...add, ...remove].map((tag) => quoted(shorten(tag))))
  return add.length > 0 ? t`Tagged ${bookmarks} with ${tags}.` : t`Removed ${tags} from ${bookmarks}.`
}

function turnedOn(state: State, bookmarks: string): string {
  if (state === 'favorite') return t`${bookmarks} added to favorites.`
  return state === 'unread' ? t`${bookmarks} marked as unread.` : t`${bookmarks} archived.`
}

function turnedOff(state: State, bookmarks: string): string {
  if (state === 'favorite') return t`${bookmarks} removed from favorites.`
  return state === 'unread' ? t`${bookmarks} marked as read.` : t`${bookmarks} unarchived.`
}

function named(count: number, name: string | undefined): string {
  return name && count === 1 ? quoted(shorten(name)) : plural(count, { one: '# bookmark', other: '# bookmarks' })
}

interface Named {
  /** The title of the bookmark, if it is only one. */
  name?: string | undefined
  place?: MovePlace | undefined
}

/** Maximum number of bookmarks that are deleted without a question. Two keys would select and delete all. */
const MAX_TRASHED_UNASKED = 1000

/** Changes that remove bookmarks from their list. */
const REMOVING: Change['kind'][] = ['delete', 'restore', 'purge']

/**
 * Bulk changes of bookmarks. Each is reported in a notice, with Undo if it can be undone.
 *
 * @param leave called before bookmarks are removed from their list
 * @param list the list, if a change of all of its bookmarks can become a rule
 */
export function useChanges(leave: (chosen: Chosen) => Leaving, list?: ShownList) {
  const { mutateAsync, isPending } = useChange()
  function change(chosen: Chosen, change: Change, named: Named = {}): Promise<boolean> {
    const leaving = REMOVING.includes(change.kind) ? leave(chosen) : undefined
    const place = typeof named.place === 'object' ? { organization: named.place.name } : undefined
    const rule = list && ruleFor(chosen, { ...change, ...place }, list)
    return mutateAsync({ chosen, change, named, rule }).then(
      () => {
        leaving?.gone()
        return true
      },
      () => {
        // The error is already shown.
        leaving?.stayed()
        return false
      }
    )
  }

  return {
    isPending,
    setTags: (chosen: Chosen, tags: { add: string[]; remove: string[] }) => change(chosen, { kind: 'tags', ...tags }),
    /** Adds a state to all bookmarks; if all have it, removes it. */
    toggleState: async (chosen: Chosen, state: State) => {
      const { total, tags } = await ask(api.bookmarks.selections.$post({ json: chosen }))
      const all = tags.some(({ name, bookmarks }) => name.toLowerCase() === state && bookmarks >= total)
      return change(chosen, { kind: 'tags', add: all ? [] : [state], remove: all ? [state] : [] })
    },
    move: (chosen: Chosen, place: MovePlace) =>
      change(
        chosen,
        typeof place === 'object'
          ? { kind: 'move', visibility: 'organization', organization: place.organization }
          : { kind: 'move', visibility: place },
        { place }
      ),
    /** Changes the addresses of bookmarks whose pages have moved. */
    follow: (chosen: Chosen) => change(chosen, { kind: 'follow' }),
    /** Moves bookmarks to the trash; asks first if there are many. @param name the title, if there is only one */
    remove: async (chosen: Chosen, count: number, name?: string) => {
      const question = {
        title: t`Move ${plural(count, { one: '# bookmark', other: '# bookmarks' })} to the trash?`,
        text: t`You can undo this, or restore them from the trash within ${TRASH_DAYS} days.`,
        action: t`Move to trash`
      }
      const sure = count <= MAX_TRASHED_UNASKED || (await confirm(question))
      return sure && change(chosen, { kind: 'delete' }, { name })
    },
    restore: (chosen: Chosen, name?: string) => change(chosen, { kind: 'restore' }, { name }),
    purge: async (chosen: Chosen, count: number) => {
      const sure = await confirm({
        title: t`Delete permanently?`,
        text: t`${plural(count, { one: '# bookmark', other: '# bookmarks' })} will be deleted permanently. This cannot be undone.`,
        action: t`Delete permanently`,
        danger: true
      })
      return sure && change(chosen, { kind: 'purge' })
    }
  }
}

interface ChangeRequest {
  chosen: Chosen
  change: Change
  named: Named
  /** The rule that would make the same change to new bookmarks. */
  rule: RuleBody | undefined
}

/** Sends a change, and shows its result. */
function useChange() {
  return useMutation({
    mutationFn: ({ chosen, change }: ChangeRequest) =>
      longWork({
        what: i18n._(DOING[change.kind]),
        stoppable: true,
        begin: (name) => ask(api.bookmarks.changes.$post({ query: { name }, json: { ...chosen, change } }))
      }),
    meta: { changes: ['bookmarks'] },
    onSuccess({ changed, unchanged, kept, undo, cancelled, problem }, { change, named, rule }) {
      const samePage = kept.filter(({ reason }) => reason.startsWith('same-page')).length
      const alreadyThere =
        change.kind === 'follow'
          ? t`Its new address is saved already. Merge the two under Duplicates.`
          : t`${number(samePage)} not changed: the same page is there already.`
      const rest = samePage > 0 ? ` ${alreadyThere}` : unchanged > 0 ? ` ${t`${number(unchanged)} not changed.`}` : ''
      notifyWithUndo(
        doneText(change, changed, named) + (problem ? ` ${problem.message}` : cancelled ? ` ${t`Stopped.`}` : rest),
        undo,
        rule ? [{ label: t`Always do this`, run: () => startRule(rule) }] : []
      )
    }
  })
}

export type Changes = ReturnType<typeof useChanges>

const DOING = {
  tags: msg`Changing tags …`,
  move: msg`Moving bookmarks …`,
  delete: msg`Moving bookmarks to the trash …`,
  restore: msg`Restoring bookmarks …`,
  purge: msg`Deleting bookmarks permanently …`,
  follow: msg`Changing addresses …`
}
