import { useMutation } from '@tanstack/react-query'
import { isState, type State } from '../../../src-main/contract/tag-names.ts'
import { api, ask } from '../../api/client.ts'
import { longWork } from '../../api/long-work.tsx'
import { notifyWithUndo, type RuleBody } from '../../api/undo.ts'
import { startRule } from '../../shared/dialogs.ts'
import { bookmarks as strings } from '../../strings/bookmarks.ts'
import { linkChecks as links } from '../../strings/links.ts'
import { rules } from '../../strings/rules.ts'
import { confirm } from '../../ui/confirm.tsx'
import type { Chosen } from './list/selection.ts'
import type { Leaving } from './list/use-list.ts'
import { ruleFor, type ShownList } from './rules/rule-query.ts'

type Change = Parameters<typeof api.bookmarks.changes.$post>[0]['json']['change']

/** Where bookmarks are moved: to an organization, or to the owner's own. */
export type MovePlace = 'private' | 'public' | { organization: string; name: string }

/** What is said of a change: how many it changed, and the name of the only one. */
function doneText(change: Change, count: number, { name, place }: Named): string {
  switch (change.kind) {
    case 'tags':
      return taggedText(count, change.add ?? [], change.remove ?? [])
    case 'move':
      return typeof place === 'object' ? strings.movedTo(count, place.name) : strings.moved[place ?? 'private'](count)
    case 'delete':
      return strings.deleted(count, name)
    case 'restore':
      return strings.restored(count, name)
    case 'purge':
      return strings.purged(count)
    case 'follow':
      return links.followed(count)
  }
}

function taggedText(count: number, add: string[], remove: string[]): string {
  const [only = '', more] = [...add, ...remove]
  if (more !== undefined || !isState(only)) return strings.tagged(count, add, remove)
  return add.length > 0 ? strings.stateOn[only](count) : strings.stateOff[only](count)
}

interface Named {
  /** The title of the only one. */
  name?: string | undefined
  place?: MovePlace | undefined
}

const DOING: Record<Change['kind'], string> = strings.doing

/** More bookmarks are moved to the trash only after a question: one key selects them all, another deletes them. */
const MAX_TRASHED_UNASKED = 1000

/** After these a bookmark is in another list, if in any. */
const GOES: Change['kind'][] = ['delete', 'restore', 'purge']

/**
 * Changes to many bookmarks at once, each told with a way back where there is one.
 *
 * @param leave called with those that are to go elsewhere, before they do
 * @param list the list they are in, where a change of all of it can become a rule
 */
export function useChanges(leave: (chosen: Chosen) => Leaving, list?: ShownList) {
  const { mutateAsync, isPending } = useChange()
  function change(chosen: Chosen, what: Change, named: Named = {}): Promise<boolean> {
    const leaving = GOES.includes(what.kind) ? leave(chosen) : undefined
    const place = typeof named.place === 'object' ? { organization: named.place.name } : undefined
    const rule = list && ruleFor(chosen, { ...what, ...place }, list)
    return mutateAsync({ chosen, change: what, named, rule }).then(
      () => {
        leaving?.gone()
        return true
      },
      () => {
        // What went wrong was told already.
        leaving?.stayed()
        return false
      }
    )
  }

  return {
    isPending,
    setTags: (chosen: Chosen, tags: { add: string[]; remove: string[] }) => change(chosen, { kind: 'tags', ...tags }),
    /** Gives all of them a state, or takes it where all have it. */
    turn: async (chosen: Chosen, state: State) => {
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
    /** Gives those whose page moved its new address. */
    follow: (chosen: Chosen) => change(chosen, { kind: 'follow' }),
    /** Moves bookmarks to the trash; asks first if there are many. @param name the title, if there is only one */
    remove: async (chosen: Chosen, count: number, name?: string) => {
      const question = {
        title: strings.deleteManyTitle(count),
        text: strings.deleteManyText,
        action: strings.moveToTrash
      }
      const sure = count <= MAX_TRASHED_UNASKED || (await confirm(question))
      return sure && change(chosen, { kind: 'delete' }, { name })
    },
    restore: (chosen: Chosen, name?: string) => change(chosen, { kind: 'restore' }, { name }),
    purge: async (chosen: Chosen, count: number) => {
      const sure = await confirm({
        title: strings.purgeTitle,
        text: strings.purgeText(count),
        action: strings.deleteForEver,
        danger: true
      })
      return sure && change(chosen, { kind: 'purge' })
    }
  }
}

interface Asked {
  chosen: Chosen
  change: Change
  named: Named
  /** The rule that does the same always. */
  rule: RuleBody | undefined
}

/** Sends a change, and tells what it did. */
function useChange() {
  return useMutation({
    mutationFn: ({ chosen, change }: Asked) =>
      longWork({
        what: DOING[change.kind],
        stoppable: true,
        begin: (name) => ask(api.bookmarks.changes.$post({ query: { name }, json: { ...chosen, change } }))
      }),
    meta: { changes: ['bookmarks'] },
    onSuccess({ changed, unchanged, kept, undo, cancelled, problem }, { change, named, rule }) {
      const samePage = kept.filter(({ reason }) => reason.startsWith('same-page')).length
      const alreadyThere = change.kind === 'follow' ? links.taken : strings.samePage(samePage)
      const rest = samePage > 0 ? ` ${alreadyThere}` : unchanged > 0 ? ` ${strings.leftAlone(unchanged)}` : ''
      notifyWithUndo(
        doneText(change, changed, named) + (problem ? ` ${problem.message}` : cancelled ? ` ${strings.stopped}` : rest),
        undo,
        rule ? [{ label: rules.always, run: () => startRule(rule) }] : []
      )
    }
  })
}

export type Changes = ReturnType<typeof useChanges>
