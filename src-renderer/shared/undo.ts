import { notifications } from '@mantine/notifications'
import { common } from '../strings/common.ts'
import { api } from './api.ts'
import { longWork } from './long-work.tsx'
import { notify, notifyError, withAction } from './notify.tsx'
import { refreshBookmarks } from './refresh.ts'
import { ApiProblem, ask, endsSession } from './request.ts'
import { endSession } from './session.ts'

/** A change that can be taken back. */
interface Done {
  name: string
  /** Changes of one key after another are taken back together. */
  key: string | undefined
  /** Takes back one part of it each, and gives how many bookmarks stayed as they were, or what it came to. The last is first. */
  parts: (() => Promise<number | string>)[]
  /** Its notification, while there is one. */
  toast: string | undefined
}

/** Most changes that are kept; the service keeps each for a day. */
const MAX_STEPS = 100

/** The changes that can be undone, the last at the end. */
const stack: Done[] = []
let working: Promise<unknown> = Promise.resolve()

/** Says what was done, and offers to take it back where the service kept a step for that. */
export function notifyWithUndo(message: string, step: number | null): void {
  if (step === null) notify(message)
  else offer(message, [() => takeBackStep(message, step)])
}

/** The same of several steps, which are taken back together. */
export function notifyWithSteps(message: string, steps: number[]): void {
  offer(
    message,
    steps.toReversed().map((step) => () => takeBackStep(message, step))
  )
}

/** Says what was done, with a button that takes it back. `undo` gives what that came to, in words. */
export function undoable(message: string, undo: () => Promise<string>): void {
  offer(message, [undo])
}

/** Keeps a change that needs no notification of its own. */
export function remember(name: string, step: number, key: string): void {
  const last = stack.at(-1)
  if (last?.key === key) {
    last.name = name
    last.parts.unshift(() => takeBackStep(name, step))
  } else push({ name, key, parts: [() => takeBackStep(name, step)], toast: undefined })
}

/** Lets a change that is on its way be the last one. */
export function undoAfter(change: Promise<unknown>): void {
  working = Promise.all([working, change.catch(() => {})])
}

/** Takes back the last change that was not taken back yet, and says which; one after the other where asked again. */
export function undoLatest(): Promise<void> {
  const turn = working.then(() => {
    const done = stack.at(-1)
    return done ? takeBack(done) : notify(common.nothingToUndo)
  })
  working = turn.catch(() => {}) // it was told
  return turn
}

function offer(name: string, parts: Done['parts']): void {
  const done: Done = { name, key: undefined, parts, toast: undefined }
  push(done)
  done.toast = withAction(name, common.undo, () => void takeBack(done))
}

function push(done: Done): void {
  stack.push(done)
  if (stack.length > MAX_STEPS) stack.shift()
}

async function takeBack(done: Done): Promise<void> {
  const at = stack.indexOf(done)
  if (at < 0) return // begun already
  stack.splice(at, 1)
  if (done.toast !== undefined) notifications.hide(done.toast)
  try {
    const came: (number | string)[] = []
    for (const part of done.parts) came.push(await part())
    await refreshBookmarks()
    notify(outcomeOf(done.name, came))
  } catch (error) {
    // What was not taken back, or only in part, can be tried again.
    if (!(error instanceof ApiProblem && error.code === 'not-found')) push({ ...done, toast: undefined })
    if (endsSession(error)) endSession()
    else notifyError(error)
  }
}

function outcomeOf(name: string, came: (number | string)[]): string {
  const said = came.find((one) => typeof one === 'string')
  if (said !== undefined) return said
  const kept = came.reduce<number>((sum, one) => sum + Number(one), 0)
  return kept > 0 ? common.undoneBut(name, kept) : common.undone(name)
}

async function takeBackStep(what: string, step: number): Promise<number> {
  const { undone, kept, problem } = await longWork({
    what: common.undoing(what),
    stoppable: false,
    begin: (name) => ask(api.undo[':id'].$post({ param: { id: String(step) }, query: { name } }))
  })
  if (problem) throw new Error(common.undoneUntil(undone, problem.message))
  return kept
}
