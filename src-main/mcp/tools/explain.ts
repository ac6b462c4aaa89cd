import type { z } from 'zod'
import { cut } from '../../core/clean-text.ts'
import { editDistance } from '../../core/edit-distance.ts'

/** The arguments of a tool. */
export interface Names {
  own: string[]
  /** Other names that a model may use if it never saw the argument table, by the arguments' own names. */
  others: Record<string, string[]>
  /** Which there are, in words. */
  valid: string
}

/** Every fault with the argument it concerns, in one line that says what to send instead. */
export function explain(error: z.ZodError, names: Names): string {
  return error.issues
    .map((issue) => {
      if (issue.code === 'unrecognized_keys') return unknown(issue.keys, names)
      return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`
    })
    .join('; ')
}

function unknown(keys: string[], names: Names): string {
  const named = keys.slice(0, MOST_NAMED).map((key) => `“${cut(key, 40)}”`)
  const nearest = keys.length === 1 ? nearestOf(keys[0] ?? '', names) : undefined
  const parts = [
    `Unknown argument${named.length > 1 ? 's' : ''} ${named.join(', ')}.`,
    ...(nearest === undefined ? [] : [`Did you mean “${nearest}”?`]),
    `Valid: ${names.valid}`
  ]
  return parts.join(' ')
}

const MOST_NAMED = 5

function nearestOf(key: string, { own, others }: Names): string | undefined {
  const word = key
    .slice(0, 40)
    .toLowerCase()
    .replace(/[^a-z]/g, '')
  const meant = own.find((name) => others[name]?.includes(word))
  if (meant !== undefined) return meant
  const near = own.map((name) => ({ name, distance: editDistance(word, name, 2) }))
  return near.sort((a, b) => a.distance - b.distance).find(({ distance }) => distance <= 2)?.name
}
