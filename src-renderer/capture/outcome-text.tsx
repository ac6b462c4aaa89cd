import { capture as strings } from '../strings/capture.ts'
import { common } from '../strings/common.ts'
import { COMMAND, Keys } from './keys.tsx'
import type { Outcome } from './use-capture.ts'

interface OutcomeTextProps {
  outcome: Outcome | undefined
  /** Nothing is typed yet. */
  empty: boolean
  onOpen(id: string): void
  onUndo(): void
}

/** The result of saving; before that, the keys. */
export function OutcomeText({ outcome, empty, onOpen, onUndo }: OutcomeTextProps) {
  if (outcome?.kind === 'problem') {
    return (
      <p className="said problem" role="alert">
        {outcome.message}
      </p>
    )
  }
  if (outcome) {
    const { id, addedTags, undo } = outcome
    return (
      <p className="said" role="status">
        {addedTags.length > 0 ? strings.added(addedTags) : strings.already}{' '}
        {undo !== null && (
          <button type="button" className="link" onClick={onUndo}>
            {common.undo}
          </button>
        )}{' '}
        <button type="button" className="link" onClick={() => onOpen(id)}>
          {strings.open}
        </button>
      </p>
    )
  }
  return <Keys keys={strings.keys(empty ? '/' : `${COMMAND} K`)} />
}
