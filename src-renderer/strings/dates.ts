/** What lists put days under. */
export const dates = {
  today: 'Today',
  yesterday: 'Yesterday',
  lastWeek: 'Last 7 days'
}
