/** The headings of days in lists. */
export const dates = {
  today: 'Today',
  yesterday: 'Yesterday',
  lastWeek: 'Last 7 days'
}
