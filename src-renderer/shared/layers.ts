/** What opens over a page or a panel, and closes before it does. */
const LAYERS = '[role="dialog"], [role="menu"]'

const open = new WeakMap<Event, Element[]>()

// Before whatever closes them hears of the key.
addEventListener(
  'keydown',
  (event) => {
    if (event.key !== 'Escape') return
    // A field's list of choices may be in the document while it is closed; the field says whether it is open.
    const expanded = (event.target as Element).closest?.('[role="combobox"], [aria-haspopup="listbox"]')
    const fields = expanded?.getAttribute('aria-expanded') === 'true' ? [expanded] : []
    open.set(event, [...fields, ...document.querySelectorAll(LAYERS)])
  },
  { capture: true }
)

/** Whether something was open over this element when Escape was pressed: one key closes one thing. */
export function hadLayerOver(event: Event, element: Element | null): boolean {
  return open.get(event)?.some((layer) => !layer.contains(element)) ?? false
}
