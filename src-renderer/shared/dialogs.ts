import type { ReactNode } from 'react'
import type { Rule } from '../api/queries.ts'
import { type RuleBody, toRuleBody } from '../api/rules.ts'
import { createStore } from '../lib/store.ts'
import type { DialogState } from '../ui/form-modal.tsx'

interface Question {
  title: string
  /** The effect, and whether it can be undone. */
  text: ReactNode
  /** The verb on the button. */
  action: string
  /** Whether the action cannot be undone. */
  danger?: boolean
}

interface NameRequest {
  title: string
  /** The verb on the button. */
  action: string
  /** The initial name in the field. */
  name?: string
  /** The message if nothing was typed. */
  missing: string
  onSubmit(name: string): Promise<unknown>
}

/** A dialog that can open over any page, with its first content. */
export type OpenDialog =
  | { kind: 'add'; text: string; picture?: File | undefined }
  /** With a file, it opens at the preview of its import. */
  | { kind: 'import'; file?: File | undefined }
  /** A new rule, or one to be changed. */
  | { kind: 'rule'; body: RuleBody; rule?: Rule | undefined }
  | { kind: 'shortcuts' }
  | ({ kind: 'question'; onAnswer(agreed: boolean): void } & Question)
  | ({ kind: 'name' } & NameRequest)
  /** A dialog of the current page. */
  | { kind: 'page'; render(state: DialogState): ReactNode }

/** The dialog that is open; `undefined` if none is. */
export const openedDialog = createStore<OpenDialog | undefined>(undefined)

/** Opens a dialog in place of the one that is open. */
export function openDialog(dialog: OpenDialog): void {
  closeDialog()
  openedDialog.set(dialog)
}

/** Closes the open dialog, or only this one. A question that was not answered is answered with no. */
export function closeDialog(only = openedDialog.get()): void {
  const dialog = openedDialog.get()
  if (dialog !== only) return
  openedDialog.set(undefined)
  if (dialog?.kind === 'question') dialog.onAnswer(false)
}

/** Opens a dialog of the current page. */
export const showDialog = (render: (state: DialogState) => ReactNode): void => openDialog({ kind: 'page', render })

/** Asks before something that cannot be undone. Escape, the close button and Cancel answer false. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => openDialog({ kind: 'question', onAnswer: resolve, ...question }))
}

export const askName = (request: NameRequest): void => openDialog({ kind: 'name', ...request })

export const startAdding = (text = '', picture?: File): void => openDialog({ kind: 'add', text, picture })

export const startImporting = (file?: File): void => openDialog({ kind: 'import', file })

export const startRule = (body: RuleBody): void => openDialog({ kind: 'rule', body })

export const editRule = (rule: Rule): void => openDialog({ kind: 'rule', rule, body: toRuleBody(rule) })
