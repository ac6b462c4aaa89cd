/** Rules for new bookmarks: what they do in words, and changes to them. */

import { msg, plural, t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { quoted, shorten } from '../lib/labels.ts'
import { i18n, list, number } from '../lib/locale.ts'
import { notify } from '../ui/notify.tsx'
import { api, ask } from './client.ts'
import { longWork } from './long-work.tsx'
import type { Rule } from './queries.ts'
import { notifyWithUndo, offerUndo } from './undo.ts'

/** A rule as a request describes it. */
export type RuleBody = Parameters<typeof api.rules.$post>[0]['json']

/** Returns a rule as a request describes it. */
export function toRuleBody({ query, tags, copy, visibility, organization }: Rule): RuleBody {
  return { query, tags, copy, visibility: visibility ?? undefined, organization: organization?.name }
}

/** Whether a rule moves bookmarks. */
export const moves = ({ visibility }: Rule): boolean => visibility !== null

/** Returns in words what a rule does. */
export function describeRule({ tags, visibility, organization, copy }: Rule): string {
  const place = organization
    ? t`Moves to ${organization.name}`
    : visibility === 'private' || visibility === 'public'
      ? i18n._(MAKES[visibility])
      : undefined
  return [
    tags.length > 0 ? t`Adds ${list.format(tags.map(quoted))}` : undefined,
    place,
    copy ? t`Saves a copy of the page` : undefined
  ]
    .filter(Boolean)
    .join(' · ')
}

/** A rule to apply to the bookmarks that exist. A new one, which was saved in the step `saved`, is undone together with that. */
interface Applied {
  id: string
  saved?: number | undefined
}

/** Changes to rules. The dialog shows why a rule is refused. */
export function useRuleChanges() {
  const meta = { quiet: true, changes: ['rules' as const] }
  const apply = useMutation({
    mutationFn: ({ id }: Applied) => applyRule(id),
    meta: { changes: ['bookmarks', 'rules'] },
    onSuccess: reportApplied,
    onError(_, { saved }) {
      // The new rule exists all the same.
      if (saved !== undefined) notifyWithUndo(t`Rule saved.`, saved)
    }
  })
  const save = useMutation({
    mutationFn: ({ body }: { body: RuleBody; alsoNow: boolean }) => ask(api.rules.$post({ json: body })),
    meta,
    onSuccess({ id, undo }, { alsoNow }) {
      if (alsoNow) apply.mutate({ id, saved: undo })
      else notifyWithUndo(t`Rule saved.`, undo)
    }
  })
  const change = useMutation({
    mutationFn: ({ rule: { id }, body }: { rule: Rule; body: RuleBody }) =>
      ask(api.rules[':id'].$patch({ param: { id }, json: body })),
    meta,
    onSuccess: ({ undo }) => notifyWithUndo(t`Rule changed.`, undo)
  })
  const drop = useMutation({
    mutationFn: ({ id }: Rule) => ask(api.rules[':id'].$delete({ param: { id } })),
    meta: { changes: ['rules'] },
    onSuccess: ({ undo }, { query }) => notifyWithUndo(t`The rule for “${shorten(query)}” is deleted.`, undo)
  })
  return { apply, save, change, drop }
}

function applyRule(id: string) {
  return longWork({
    what: t`Applying a rule …`,
    stoppable: true,
    begin: (name) => ask(api.rules[':id'].applications.$post({ param: { id }, query: { name } }))
  })
}

function reportApplied(report: Awaited<ReturnType<typeof applyRule>>, { saved }: Applied): void {
  const { changed, unchanged, undo, cancelled, problem } = report
  const skipped = unchanged > 0 ? t`${number(unchanged)} not changed.` : undefined
  const rest = problem?.message ?? (cancelled ? t`Stopped.` : skipped)
  const message = [
    saved !== undefined
      ? t`Rule saved and applied: ${plural(changed, { one: '# bookmark', other: '# bookmarks' })} changed.`
      : t`Rule applied: ${plural(changed, { one: '# bookmark', other: '# bookmarks' })} changed.`,
    rest
  ]
    .filter(Boolean)
    .join(' ')
  const parts = [saved, undo].filter((step) => typeof step === 'number').map((step) => ({ step }))
  if (parts.length > 0) offerUndo(message, parts)
  else notify(message)
}

const MAKES = { private: msg`Makes private`, public: msg`Makes public` }
