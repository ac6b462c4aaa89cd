import { useLocalStorage } from '@mantine/hooks'
import type { KeyboardEvent, PointerEvent } from 'react'
import { isRightToLeft } from '../lib/locale.ts'
import classes from './edge.module.css'

/** Widths in pixels. */
interface Widths {
  usual: number
  min: number
  max: number
}

/**
 * The width of a part of the window, in pixels, which this machine remembers.
 *
 * @param key the name under which it is kept in the browser
 * @returns the width within its bounds, and what its edge is told
 */
export function useWidth(key: string, { usual, min, max }: Widths) {
  const [kept, keep] = useLocalStorage({ key, defaultValue: usual, getInitialValueInEffect: false })
  const width = within(Number(kept) || usual, min, max)
  return { width, usual, min, max, onChange: (next: number) => keep(within(next, min, max)) }
}

function within(width: number, min: number, max: number): number {
  return Math.round(Math.min(max, Math.max(min, width)))
}

interface EdgeProps extends Widths {
  label: string
  width: number
  onChange(width: number): void
  /** Where of its part the edge is. */
  side: 'start' | 'end'
}

/** Pixels an arrow key makes its part wider or narrower. */
const STEP = 16

/**
 * The edge of a part of the window, by which it is made wider: dragged, or with arrow keys; a double click gives it its
 * usual width. A window splitter as the ARIA Authoring Practices describe one.
 */
export function Edge({ label, width, usual, min, max, side, onChange }: EdgeProps) {
  const outwards = (side === 'end') === isRightToLeft ? -1 : 1
  function onPointerDown(event: PointerEvent<HTMLHRElement>) {
    if (event.button !== 0) return
    event.preventDefault() // no text is selected on the way
    const edge = event.currentTarget
    const from = event.clientX
    edge.setPointerCapture(event.pointerId)
    edge.onpointermove = ({ clientX }) => onChange(width + outwards * (clientX - from))
    edge.onlostpointercapture = () => {
      edge.onpointermove = null
    }
  }
  function onKeyDown(event: KeyboardEvent) {
    const next = {
      ArrowRight: width + outwards * STEP,
      ArrowLeft: width - outwards * STEP,
      Home: min,
      End: max,
      Enter: usual
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onChange(next)
  }
  return (
    <hr
      className={classes.edge}
      data-side={side}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onDoubleClick={() => onChange(usual)}
      onKeyDown={onKeyDown}
    />
  )
}
