/**
 * Undo and redo. The service undoes each change; this tab keeps which changes it made, so that a reload of the page loses
 * none of them.
 */

import { t } from '@lingui/core/macro'
import { notifications } from '@mantine/notifications'
import { number } from '../lib/locale.ts'
import { type NoticeAction, notify, notifyError } from '../ui/notify.tsx'
import { ApiProblem, api, ask, endsSession } from './client.ts'
import { endHolds, endSession, refetchSoon } from './events.ts'
import { longWork } from './long-work.tsx'

/** What undoes a part of a change. It is plain data, so that a reload keeps it. */
export type UndoPart =
  /** An undo step of the service. */
  | { step: number }
  /** New bookmarks, which go to the trash. */
  | { trash: string[] }
  /** An import, whose new bookmarks go to the trash. It cannot be redone. */
  | { importId: number }
  /** An organization without bookmarks, by its name. */
  | { organization: string }

/** A change that can be undone or redone. */
interface UndoableChange {
  name: string
  /** The notice after an undo, if the name does not say it. */
  undone?: string | undefined
  /** Changes with the same key that follow each other are undone together. */
  key?: string | undefined
  /** In the order in which they are undone: the last change first. */
  parts: UndoPart[]
}

/** Maximum number of changes that are kept. The service keeps each for a day. */
const MAX_CHANGES = 100

const STORAGE_KEY = 'earmark-undo'

/** The kinds of changes that an undo step may make. */
const UNDONE = ['bookmarks', 'searches', 'rules'] as const

/** The newest change is the last. */
interface Stacks {
  done: UndoableChange[]
  undone: UndoableChange[]
}

const stacks: Stacks = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{"done":[],"undone":[]}')

/** The ids of the notices that offer to undo a change. */
const notices = new WeakMap<UndoableChange, string>()

/** Shows what was done, and offers to undo it if the service recorded an undo step. */
export function notifyWithUndo(
  message: string,
  step: number | null,
  actions: NoticeAction[] = [],
  undone?: string
): void {
  if (step === null) notify(message)
  else offerUndo(message, [{ step }], actions, undone)
}

/** Shows what was done, with a button that undoes it after other buttons. */
export function offerUndo(message: string, parts: UndoPart[], actions: NoticeAction[] = [], undone?: string): void {
  const change: UndoableChange = { name: message, undone, parts }
  push(change)
  const undo = { label: t`Undo`, run: () => void enqueue(() => undoChange(change)) }
  notices.set(change, notify(message, [...actions, undo]))
}

/** Keeps a change that needs no notice. */
export function remember(name: string, step: number, key: string): void {
  const last = stacks.done.at(-1)
  if (last?.key === key) {
    last.name = name
    last.parts.unshift({ step })
    stacks.undone = []
    store()
  } else push({ name, key, parts: [{ step }] })
}

/** Keeps an import, to be undone like other changes. */
export function rememberImport(name: string, importId: number): void {
  push({ name, parts: [{ importId }] })
}

/** Removes an import that was undone in another way. */
export function forgetImport(importId: number): void {
  stacks.done = stacks.done.filter(
    ({ parts }) => !parts.some((part) => 'importId' in part && part.importId === importId)
  )
  store()
}

/** Undoes the newest change that was not undone yet, and names it. */
export function undoLatest(): Promise<void> {
  return enqueue(() => {
    const last = stacks.done.at(-1)
    return last ? undoChange(last) : notify(t`There is nothing to undo.`)
  })
}

/** Redoes the change that was undone last. */
export function redoLatest(): Promise<void> {
  return enqueue(() => {
    const last = stacks.undone.at(-1)
    return last
      ? applyChange(last, stacks.undone, stacks.done, (name) => t`Redone: ${name}`)
      : notify(t`There is nothing to redo.`)
  })
}

let queue: Promise<unknown> = Promise.resolve()
let queueLength = 0

/** Lets a change that is being saved become the newest one before the next undo. */
export function undoAfter(saving: Promise<unknown>): void {
  queue = Promise.all([queue, saving.catch(() => {})])
}

function enqueue(run: () => unknown): Promise<void> {
  queueLength += 1
  const running = queue
    .then(run)
    .then(() => {})
    .finally(() => {
      queueLength -= 1
      // Between two that follow each other nothing needs to be shown.
      if (queueLength > 0) return
      endHolds(UNDONE)
      void refetchSoon(...UNDONE)
    })
  queue = running.catch(() => {}) // already reported
  return running
}

function push(change: UndoableChange): void {
  stacks.done.push(change)
  if (stacks.done.length > MAX_CHANGES) stacks.done.shift()
  // A new change cannot be followed by what was undone before it.
  stacks.undone = []
  store()
}

function store(): void {
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(stacks))
}

function undoChange(change: UndoableChange): Promise<void> {
  return applyChange(change, stacks.done, stacks.undone, (name) => change.undone ?? t`Undone: ${name}`)
}

/** Undoes or redoes a change, and moves what reverses that to the other stack. */
async function applyChange(
  change: UndoableChange,
  from: UndoableChange[],
  to: UndoableChange[],
  messageFor: (name: string) => string
): Promise<void> {
  const index = from.indexOf(change)
  if (index < 0) return // already begun
  from.splice(index, 1)
  const notice = notices.get(change)
  if (notice !== undefined) notifications.hide(notice)
  const remaining = [...change.parts]
  const inverse: UndoPart[] = []
  let unchanged = 0
  try {
    for (let part = remaining[0]; part; remaining.shift(), part = remaining[0]) {
      const outcome = await applyPart(part, t`Undoing: ${change.name}`)
      unchanged += outcome.unchanged
      if (outcome.inverse) inverse.unshift(outcome.inverse)
    }
    const skipped =
      unchanged > 0
        ? t`Skipped: ${number(unchanged)}, which changed later or whose duplicate no longer exists.`
        : undefined
    notify([messageFor(change.name), skipped].filter((text) => text !== undefined).join(' '))
  } catch (error) {
    // What was not undone, or only in part, can be tried again.
    if (!(error instanceof ApiProblem && error.code === 'not-found')) from.push({ ...change, parts: remaining })
    if (endsSession(error)) endSession()
    else notifyError(error)
  }
  if (inverse.length > 0) to.push({ ...change, key: undefined, parts: inverse })
  store()
}

interface Outcome {
  /** Number of bookmarks that were not changed, because they had changed since. */
  unchanged: number
  /** What reverses this. */
  inverse?: UndoPart | undefined
}

async function applyPart(part: UndoPart, what: string): Promise<Outcome> {
  if ('step' in part) {
    const param = { id: String(part.step) }
    const { kept, redo } = await undoInBatches(what, (name) => ask(api.undo[':id'].$post({ param, query: { name } })))
    return { unchanged: kept, inverse: redo === null ? undefined : { step: redo } }
  }
  if ('importId' in part) {
    const param = { id: String(part.importId) }
    const undo = api.imports[':id'].undo
    const { kept } = await undoInBatches(what, (name) => ask(undo.$post({ param, query: { name } })))
    return { unchanged: kept }
  }
  if ('trash' in part) {
    const json = { ids: part.trash, change: { kind: 'delete' as const } }
    const { changed, undo } = await ask(api.bookmarks.changes.$post({ query: {}, json }))
    return { unchanged: part.trash.length - changed, inverse: undo === null ? undefined : { step: undo } }
  }
  await ask(api.organizations.$post({ json: { name: part.organization } }))
  return { unchanged: 0 }
}

type BatchReport = { undone: number; kept: number; problem?: { message: string } | undefined }

/** @throws an Error with the number of bookmarks that were undone before a problem */
async function undoInBatches<Report extends BatchReport>(
  what: string,
  begin: (name: string) => Promise<Report>
): Promise<Report> {
  const report = await longWork({ what, stoppable: false, begin })
  if (report.problem) throw new Error(t`${number(report.undone)} undone. ${report.problem.message}`)
  return report
}
