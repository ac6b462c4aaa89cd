import { notifications } from '@mantine/notifications'
import type { SavedSearch } from '../../src-main/contract/rule.ts'
import { common } from '../strings/common.ts'
import { api } from './api.ts'
import { longWork } from './long-work.tsx'
import { notify, notifyError, type ToastAction, withActions } from './notify.tsx'
import { refreshSoon } from './refresh.ts'
import { ApiProblem, ask, endsSession } from './request.ts'
import { endSession } from './session.ts'

/** A rule as a request names it. */
export type RuleBody = Parameters<typeof api.rules.$post>[0]['json']

/** What takes back a part of a change. It is data, so that a reload of the page keeps it. */
export type Part =
  /** A step of the service. */
  | { step: number }
  /** Bookmarks that were saved go to the trash. */
  | { trash: string[] }
  /** An import, by its id: what it added goes to the trash, and is not brought back by a redo. */
  | { importId: number }
  /** A saved search: dropped again, brought back, named otherwise. */
  | { drop: SavedSearch }
  | { restore: SavedSearch }
  | { rename: SavedSearch; from: string }
  /** A rule, by its id: deleted again, brought back, made what it was. */
  | { dropRule: string }
  | { restoreRule: string }
  | { changeRule: string; to: RuleBody; from: RuleBody }
  /** An organization without bookmarks, by its name. */
  | { organization: string }

/** A change that can be taken back, or done again. */
interface Change {
  name: string
  /** Said once it was taken back, where its name does not say that. */
  undone?: string | undefined
  /** Changes of one key after another are taken back together. */
  key?: string | undefined
  /** In the order in which they are taken back: the last is first. */
  parts: Part[]
}

/** Most changes that are kept; the service keeps each for a day. */
const MAX_STEPS = 100

/** Where this tab keeps them over a reload. */
const KEPT = 'earmark-changes'

interface Kept {
  /** The last at the end. */
  done: Change[]
  undone: Change[]
}

const kept: Kept = JSON.parse(sessionStorage.getItem(KEPT) ?? '{"done":[],"undone":[]}')
const toasts = new WeakMap<Change, string>()

let working: Promise<unknown> = Promise.resolve()
let waiting = 0

/** Says what was done, and offers to take it back where the service kept a step for that. */
export function notifyWithUndo(
  message: string,
  step: number | null,
  others: ToastAction[] = [],
  undone?: string
): void {
  if (step === null) notify(message)
  else undoable(message, [{ step }], others, undone)
}

/** Says what was done, with a button that takes it back, after others. */
export function undoable(message: string, parts: Part[], others: ToastAction[] = [], undone?: string): void {
  const change: Change = { name: message, undone, parts }
  push(change)
  const undo = { label: common.undo, run: () => void inTurn(() => takeBack(change)) }
  toasts.set(change, withActions(message, [...others, undo]))
}

/** Keeps a change that needs no notification of its own. */
export function remember(name: string, step: number, key: string): void {
  const last = kept.done.at(-1)
  if (last?.key === key) {
    last.name = name
    last.parts.unshift({ step })
    kept.undone = []
    keep()
  } else push({ name, key, parts: [{ step }] })
}

/** Keeps an import that is to be taken back as other changes are. */
export function rememberImport(name: string, importId: number): void {
  push({ name, parts: [{ importId }] })
}

/** Drops an import that was undone elsewhere. */
export function forgetImport(importId: number): void {
  kept.done = kept.done.filter(({ parts }) => !parts.some((part) => 'importId' in part && part.importId === importId))
  keep()
}

/** Lets a change that is on its way be the last one. */
export function undoAfter(change: Promise<unknown>): void {
  working = Promise.all([working, change.catch(() => {})])
}

/** Takes back the last change that was not taken back yet, and says which; one after the other where asked again. */
export function undoLatest(): Promise<void> {
  return inTurn(() => {
    const last = kept.done.at(-1)
    return last ? takeBack(last) : notify(common.nothingToUndo)
  })
}

/** Makes the change again that was taken back last. */
export function redoLatest(): Promise<void> {
  return inTurn(() => {
    const last = kept.undone.at(-1)
    return last ? apply(last, kept.undone, kept.done, common.redone) : notify(common.nothingToRedo)
  })
}

function inTurn(run: () => Promise<void> | void): Promise<void> {
  waiting += 1
  const turn = working.then(run).finally(() => {
    waiting -= 1
    // Between two that follow each other nothing is drawn anew.
    if (waiting === 0) refreshSoon('bookmarks', 'counts', 'tags', 'status', 'searches', 'rules', 'organizations')
  })
  working = turn.catch(() => {}) // it was told
  return turn
}

function push(change: Change): void {
  kept.done.push(change)
  if (kept.done.length > MAX_STEPS) kept.done.shift()
  // What was undone before belongs to another course of things.
  kept.undone = []
  keep()
}

function keep(): void {
  sessionStorage.setItem(KEPT, JSON.stringify(kept))
}

function takeBack(change: Change): Promise<void> {
  return apply(change, kept.done, kept.undone, (name) => change.undone ?? common.undone(name))
}

/** Applies a change's parts, and moves what makes it again, or takes it back again, to the other list. */
async function apply(change: Change, from: Change[], to: Change[], told: (name: string) => string): Promise<void> {
  const at = from.indexOf(change)
  if (at < 0) return // begun already
  from.splice(at, 1)
  const toast = toasts.get(change)
  if (toast !== undefined) notifications.hide(toast)
  const left = [...change.parts]
  const inverse: Part[] = []
  let unchanged = 0
  try {
    for (let part = left[0]; part; left.shift(), part = left[0]) {
      const outcome = await applyPart(part, common.undoing(change.name))
      unchanged += outcome.kept
      if (outcome.inverse) inverse.unshift(outcome.inverse)
    }
    notify(unchanged > 0 ? common.undoneBut(change.name, unchanged) : told(change.name))
  } catch (error) {
    // What was not taken back, or only in part, can be tried again.
    if (!(error instanceof ApiProblem && error.code === 'not-found')) from.push({ ...change, parts: left })
    if (endsSession(error)) endSession()
    else notifyError(error)
  }
  if (inverse.length > 0) to.push({ ...change, key: undefined, parts: inverse })
  keep()
}

interface Outcome {
  /** Bookmarks that stayed as they were. */
  kept: number
  /** What takes this back. */
  inverse?: Part | undefined
}

async function applyPart(part: Part, what: string): Promise<Outcome> {
  if ('step' in part) return takeStep(part.step, what)
  if ('trash' in part) {
    const json = { ids: part.trash, change: { kind: 'delete' as const } }
    const { changed, undo } = await ask(api.bookmarks.changes.$post({ query: {}, json }))
    return { kept: part.trash.length - changed, inverse: undo === null ? undefined : { step: undo } }
  }
  if ('importId' in part) {
    const { undone, kept, problem } = await longWork({
      what,
      stoppable: false,
      begin: (name) => ask(api.imports[':id'].undo.$post({ param: { id: String(part.importId) }, query: { name } }))
    })
    if (problem) throw new Error(common.undoneUntil(undone, problem.message))
    return { kept }
  }
  if ('drop' in part) {
    await ask(api.searches[':id'].$delete({ param: { id: part.drop.id } }))
    return { kept: 0, inverse: { restore: part.drop } }
  }
  if ('restore' in part) {
    const { id, name, address } = part.restore
    await ask(api.searches.restorations.$post({ json: { id, name, address } }))
    return { kept: 0, inverse: { drop: part.restore } }
  }
  if ('rename' in part) {
    const { rename: search, from } = part
    await ask(api.searches[':id'].$patch({ param: { id: search.id }, json: { name: search.name } }))
    return { kept: 0, inverse: { rename: { ...search, name: from }, from: search.name } }
  }
  if ('dropRule' in part) {
    await ask(api.rules[':id'].$delete({ param: { id: part.dropRule } }))
    return { kept: 0, inverse: { restoreRule: part.dropRule } }
  }
  if ('restoreRule' in part) {
    await ask(api.rules[':id'].restorations.$post({ param: { id: part.restoreRule } }))
    return { kept: 0, inverse: { dropRule: part.restoreRule } }
  }
  if ('changeRule' in part) {
    const { changeRule, to, from } = part
    await ask(api.rules[':id'].$patch({ param: { id: changeRule }, json: to }))
    return { kept: 0, inverse: { changeRule, to: from, from: to } }
  }
  await ask(api.organizations.$post({ json: { name: part.organization } }))
  return { kept: 0 }
}

async function takeStep(step: number, what: string): Promise<Outcome> {
  const { undone, kept, redo, problem } = await longWork({
    what,
    stoppable: false,
    begin: (name) => ask(api.undo[':id'].$post({ param: { id: String(step) }, query: { name } }))
  })
  if (problem) throw new Error(common.undoneUntil(undone, problem.message))
  return { kept, inverse: redo === null ? undefined : { step: redo } }
}
