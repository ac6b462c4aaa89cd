/** By then the thing a key opens is there, in milliseconds, or it will not come. */
const TIMEOUT_MS = 2000

let stopHolding: (() => void) | undefined

/**
 * Holds what is typed between a key that opens something and the moment its field has the focus, and gives it to that
 * field. Until then keys mean what was there before: of "Ctrl-K, order" an `o` would open a page.
 *
 * Keys that write nothing are dropped, but for Escape, which ends the waiting. So are all, where what opened has no
 * field.
 *
 * @param onlyField what opens gives the focus to something else first, and then to a field
 */
export function holdTyping({ onlyField = false } = {}): void {
  stopHolding?.()
  const from = document.activeElement
  let held = ''

  const onKey = (event: KeyboardEvent) => {
    if (isModifier(event)) return
    if (event.key === 'Escape') return stop()
    event.preventDefault()
    event.stopImmediatePropagation()
    if (event.key === 'Backspace') held = held.slice(0, -1)
    else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) held += event.key
  }
  const onFocus = ({ target }: FocusEvent) => {
    if (target === from || target === document.body) return
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    if (onlyField && !isField) return
    stop()
    if (isField) write(target, held)
  }
  // By name: the page may be gone when time is up.
  const [view, page] = [window, document]
  const stop = () => {
    clearTimeout(late)
    view.removeEventListener('keydown', onKey, true)
    page.removeEventListener('focusin', onFocus, true)
    stopHolding = undefined
  }
  const late = setTimeout(stop, TIMEOUT_MS)
  window.addEventListener('keydown', onKey, true)
  document.addEventListener('focusin', onFocus, true)
  stopHolding = stop
}

function isModifier({ key }: KeyboardEvent): boolean {
  return ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'Process', 'Dead'].includes(key)
}

/** Writes into a field as typing does, so that whoever listens to it is told. */
function write(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  if (text === '') return
  const kind = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement
  // React looks for changes made past its own setter.
  Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(field, field.value + text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
