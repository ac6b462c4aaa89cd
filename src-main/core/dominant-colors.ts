import type { DominantColor } from '../contract/picture.ts'
import { distance, labOf } from './color.ts'

/** Colors a picture is described by at most. */
const MOST = 5

/** A color of less than this share is a detail. */
const LEAST_SHARE = 0.05

/** Colors this close are one: shades of a surface in light and shadow. */
const APART = 0.12

/** Steps of lightness, and of the two other axes, that pixels are counted by. */
const STEP_L = 0.08
const STEP_AB = 0.04

/** Groups looked at, of which the smallest are details anyway. */
const MOST_GROUPS = 64

interface Group {
  l: number
  a: number
  b: number
  pixels: number
}

/**
 * The colors that make up most of a picture, most first. What is more transparent than not does not count.
 *
 * @param pixels red, green, blue and opacity of each, a byte each; a few thousand pixels say as much as millions
 */
export function dominantColors(pixels: Uint8Array): DominantColor[] {
  const bins = counted(pixels)
  const total = bins.reduce((sum, { pixels }) => sum + pixels, 0)
  const groups: Group[] = []
  for (const bin of bins.sort((one, other) => other.pixels - one.pixels)) {
    const near = nearest(groups, bin)
    if (near) join(near, bin)
    else if (groups.length < MOST_GROUPS) groups.push(bin)
  }
  return groups
    .map(({ pixels, ...place }) => ({ ...place, share: pixels / total }))
    .filter(({ share }) => share >= LEAST_SHARE)
    .sort((one, other) => other.share - one.share)
    .slice(0, MOST)
}

function counted(pixels: Uint8Array): Group[] {
  const bins = new Map<string, Group>()
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0, opacity = 0] = pixels.subarray(at, at + 4)
    if (opacity < 128) continue
    const place = labOf(red, green, blue)
    const key = [place.l / STEP_L, place.a / STEP_AB, place.b / STEP_AB].map(Math.round).join()
    const bin = bins.get(key)
    if (bin) join(bin, { ...place, pixels: 1 })
    else bins.set(key, { ...place, pixels: 1 })
  }
  return [...bins.values()]
}

function nearest(groups: Group[], bin: Group): Group | undefined {
  let best: Group | undefined
  let least = APART
  for (const group of groups) {
    const apart = distance({ mode: 'oklab', ...group }, { mode: 'oklab', ...bin })
    if (apart < least) {
      best = group
      least = apart
    }
  }
  return best
}

/** Makes one of two, whose color is their mean. */
function join(group: Group, other: Group): void {
  const pixels = group.pixels + other.pixels
  for (const axis of ['l', 'a', 'b'] as const) {
    group[axis] = (group[axis] * group.pixels + other[axis] * other.pixels) / pixels
  }
  group.pixels = pixels
}
