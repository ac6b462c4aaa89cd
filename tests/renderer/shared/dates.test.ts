import { expect, test } from 'vitest'
import { dateGroup, dateInGroup, listDate } from '../../../src-renderer/shared/dates.ts'

/** A Thursday in the morning, where the tests run. */
const NOW = new Date(2026, 9, 15, 8, 30)

test.for([
  ['earlier this morning', new Date(2026, 9, 15, 0, 1), 'Today'],
  ['later today', new Date(2026, 9, 15, 23, 59), 'Today'],
  ['last night', new Date(2026, 9, 14, 23, 59), 'Yesterday'],
  ['the day before', new Date(2026, 9, 13, 23, 59), 'Last 7 days'],
  ['a week ago', new Date(2026, 9, 8, 0, 0), 'Last 7 days'],
  ['eight days ago', new Date(2026, 9, 7, 23, 59), 'October'],
  ['in the summer', new Date(2026, 6, 1), 'July'],
  ['the same month of another year', new Date(2025, 9, 15), 'October 2025'],
  ['a day to come, as a clock that was wrong noted it', new Date(2027, 0, 2), 'January 2027']
] as const)('%s is put under what it is called', ([, date, group]) => {
  expect(dateGroup(date.toISOString(), NOW)).toBe(group)
})

test.for([
  ['earlier this morning', new Date(2026, 9, 15, 0, 1), '12:01 AM', '12:01 AM'],
  ['last night', new Date(2026, 9, 14, 23, 59), '11:59 PM', 'Oct 14'],
  ['some days ago', new Date(2026, 9, 11), 'Sun', 'Oct 11'],
  ['in the summer', new Date(2026, 6, 1), 'Jul 1', 'Jul 1'],
  ['another year', new Date(2025, 9, 15), 'Oct 15', 'Oct 15, 2025']
] as const)('%s is told under its heading without what that says, and elsewhere in full', ([, date, under, alone]) => {
  expect(dateInGroup(date.toISOString(), NOW).replace(/\s/, ' ')).toBe(under)
  expect(listDate(date.toISOString(), NOW).replace(/\s/, ' ')).toBe(alone)
})
