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
 * The width of a part of the window, in pixels, which is stored in the browser.
 *
 * @param key the storage key
 * @returns the props of the part's `Edge`
 */
export function useWidth(key: string, { usual, min, max }: Widths) {
  const [stored, store] = useLocalStorage({ key, defaultValue: usual, getInitialValueInEffect: false })
  const width = clamp(Number(stored) || usual, min, max)
  return { width, usual, min, max, onChange: (next: number) => store(clamp(next, min, max)) }
}

function clamp(width: number, min: number, max: number): number {
  return Math.round(Math.min(max, Math.max(min, width)))
}

interface EdgeProps extends Widths {
  label: string
  width: number
  onChange(width: number): void
  /** The side of the part at which the edge is. */
  side: 'start' | 'end'
}

/** By how much an arrow key changes the width, in pixels. */
const STEP_PX = 16

/**
 * The edge of a part of the window. Dragging it or pressing arrow keys changes the width, a double click restores the
 * usual one. ARIA Authoring Practices, "Window Splitter".
 */
export function Edge({ label, width, usual, min, max, side, onChange }: EdgeProps) {
  const outwards = (side === 'end') === isRightToLeft ? -1 : 1
  function onPointerDown(event: PointerEvent<HTMLHRElement>) {
    if (event.button !== 0) return
    event.preventDefault() // dragging selects no text
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
      ArrowRight: width + outwards * STEP_PX,
      ArrowLeft: width - outwards * STEP_PX,
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
