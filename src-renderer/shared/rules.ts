import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { bookmarks } from '../strings/bookmarks.ts'
import { rules as strings } from '../strings/rules.ts'
import { api } from './api.ts'
import { longWork } from './long-work.tsx'
import { pause } from './pause.ts'
import { refresh, refreshBookmarks } from './refresh.ts'
import { ask } from './request.ts'
import { storeOf, useStore } from './store.ts'
import { notifyWithUndo, type RuleBody, undoable } from './undo.ts'

const rulesOptions = queryOptions({ queryKey: ['rules'], queryFn: () => ask(api.rules.$get()) })

/** The rules, in the order in which they were made. */
export const useRules = () => useQuery(rulesOptions)

export type Rule = NonNullable<ReturnType<typeof useRules>['data']>[number]

/** So long nothing is typed before matches are counted, in milliseconds. */
const PAUSE_MS = 200

const matchesOptions = (query: string, own: boolean) =>
  queryOptions({
    queryKey: ['bookmarks', 'rule', query, own],
    queryFn: async ({ signal }) => {
      await pause(PAUSE_MS, signal)
      return countMatches(query, own, signal)
    },
    enabled: query !== '',
    placeholderData: keepPreviousData
  })

/** How many bookmarks a rule would change now, or why its query cannot be one. */
export const useMatches = (query: string, own: boolean) => useQuery(matchesOptions(query, own))

/** @param own whether the rule moves bookmarks, which it does with the owner's own alone */
export async function countMatches(query: string, own: boolean, signal?: AbortSignal): Promise<number> {
  const asked = api.rules.matches.$get({ query: { query, own: String(own) as 'true' | 'false' } }, { init: { signal } })
  return (await ask(asked)).total
}

/** A rule to be made, or one to be changed. */
interface RuleStart {
  rule?: Rule | undefined
  body: RuleBody
}

/** The dialog's first content; `undefined` while it is closed. */
const started = storeOf<RuleStart | undefined>(undefined)

export const useRuleStart = (): RuleStart | undefined => useStore(started)

/** Opens the dialog that makes a rule, from any page. */
export const startRule = (body: RuleBody): void => started.set({ body })

/** Opens it for a rule that there is. */
export const editRule = (rule: Rule): void => started.set({ rule, body: bodyOf(rule) })

export const stopRule = (): void => started.set(undefined)

/** Returns a rule as a request names it. */
function bodyOf({ query, tags, visibility, organization }: Rule): RuleBody {
  return { query, tags, visibility: visibility ?? undefined, organization: organization?.name }
}

/** Whether a rule gives bookmarks another place. */
export const moves = ({ visibility }: Rule): boolean => visibility !== null

/** Returns in words what a rule adds, and where it moves bookmarks. */
export function doesText({ tags, visibility, organization }: Rule): string {
  const place = organization
    ? strings.moves(organization.name)
    : visibility === 'private' || visibility === 'public'
      ? strings.makes[visibility]
      : undefined
  return [tags.length > 0 ? strings.adds(tags) : undefined, place].filter(Boolean).join(' · ')
}

/** A rule that is applied to what is there; `isNew` was made with it, and is taken back with it. */
interface Applied {
  id: string
  isNew?: boolean | undefined
}

/** Changes to rules, each told with a way back. A rule that is refused, the dialog shows. */
export function useRuleChanges() {
  const apply = useMutation({
    mutationFn: ({ id }: Applied) => applied(id),
    onSuccess,
    onError
  })
  const save = useMutation({
    mutationFn: ({ body }: { body: RuleBody; alsoNow: boolean }) => ask(api.rules.$post({ json: body })),
    meta: { quiet: true },
    async onSuccess({ id }, { alsoNow }) {
      if (alsoNow) apply.mutate({ id, isNew: true })
      else undoable(strings.saved, [{ dropRule: id }])
      await refresh(rulesOptions)
    }
  })
  const change = useMutation({
    mutationFn: ({ rule: { id }, body }: { rule: Rule; body: RuleBody }) =>
      ask(api.rules[':id'].$patch({ param: { id }, json: body })),
    meta: { quiet: true },
    async onSuccess(_, { rule, body }) {
      undoable(strings.changed, [{ changeRule: rule.id, to: bodyOf(rule), from: body }])
      await refresh(rulesOptions)
    }
  })
  const drop = useMutation({
    mutationFn: ({ id }: Rule) => ask(api.rules[':id'].$delete({ param: { id } })),
    async onSuccess(_, { id, query }) {
      undoable(strings.deleted(query), [{ restoreRule: id }])
      await refresh(rulesOptions)
    }
  })
  return { apply, save, change, drop }
}

function applied(id: string) {
  return longWork({
    what: strings.applying,
    stoppable: true,
    begin: (name) => ask(api.rules[':id'].applications.$post({ param: { id }, query: { name } }))
  })
}

async function onSuccess(report: Awaited<ReturnType<typeof applied>>, { id, isNew = false }: Applied) {
  const { changed, unchanged, undo, cancelled, problem } = report
  const left = unchanged > 0 ? bookmarks.leftAlone(unchanged) : undefined
  const rest = problem?.message ?? (cancelled ? bookmarks.stopped : left)
  const told = [strings.applied(changed, isNew), rest].filter(Boolean).join(' ')
  if (isNew) undoable(told, [{ dropRule: id }, ...(undo === null ? [] : [{ step: undo }])])
  else notifyWithUndo(told, undo)
  await refreshBookmarks()
}

/** The rule is there all the same. */
function onError(_: unknown, { id, isNew }: Applied) {
  if (isNew) undoable(strings.saved, [{ dropRule: id }])
}
