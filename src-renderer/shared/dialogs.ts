import type { Rule } from '../api/queries.ts'
import { toRuleBody } from '../api/rules.ts'
import type { RuleBody } from '../api/undo.ts'
import { createStore, useStore } from '../lib/store.ts'

/** A dialog that can open over any page, with its first content. */
export type Dialog =
  | { kind: 'add'; text: string; picture?: File | undefined }
  /** With a file, it opens at the preview of its import. */
  | { kind: 'import'; file?: File | undefined }
  /** A new rule, or one to be changed. */
  | { kind: 'rule'; body: RuleBody; rule?: Rule | undefined }
  | { kind: 'shortcuts' }

const opened = createStore<Dialog | undefined>(undefined)

/** Returns the content of an open dialog; `undefined` if another or none is open. */
export function useDialog<Kind extends Dialog['kind']>(kind: Kind): Extract<Dialog, { kind: Kind }> | undefined {
  const dialog = useStore(opened)
  return dialog?.kind === kind ? (dialog as Extract<Dialog, { kind: Kind }>) : undefined
}

export const openDialog = (dialog: Dialog): void => opened.set(dialog)

/** Closes a dialog, unless another has taken its place. */
export function closeDialog(kind: Dialog['kind']): void {
  if (opened.get()?.kind === kind) opened.set(undefined)
}

export const startAdding = (text = '', picture?: File): void => openDialog({ kind: 'add', text, picture })

export const startImporting = (file?: File): void => openDialog({ kind: 'import', file })

export const startRule = (body: RuleBody): void => openDialog({ kind: 'rule', body })

export const editRule = (rule: Rule): void => openDialog({ kind: 'rule', rule, body: toRuleBody(rule) })
