import { text } from '../texts.ts'

const COLORS = { saved: '#2f9e44', failed: '#c92a2a' }

/** Shows on the extension’s button whether the page of a tab is saved. */
export async function markTab(tabId: number, isSaved: boolean): Promise<void> {
  await show(tabId, isSaved ? '✓' : '', COLORS.saved, isSaved ? text('isSaved') : text('title'))
}

/** Shows on the button that a part of the page, such as a link, was saved. */
export async function flashTab(tabId: number): Promise<void> {
  await show(tabId, '+', COLORS.saved, text('didSave'))
}

/** Shows on the button why something was not saved. `copyFailed`: only the copy of the page was not. */
export async function warnInTab(
  tabId: number,
  reason: string,
  what: 'failed' | 'copyFailed' = 'failed'
): Promise<void> {
  await show(tabId, '!', COLORS.failed, text(what, reason))
}

/** Number of changes of the button, by tab. */
const shown = new Map<number, number>()

/** Returns how often the button of a tab was changed. A caller checks with it that nothing newer is shown. */
export function changesOf(tabId: number): number {
  return shown.get(tabId) ?? 0
}

/** Does nothing if the tab was closed. */
async function show(tabId: number, text: string, color: string, title: string): Promise<void> {
  const { action } = chrome
  shown.set(tabId, changesOf(tabId) + 1)
  await Promise.all([
    action.setBadgeText({ tabId, text }),
    action.setBadgeBackgroundColor({ tabId, color }),
    action.setTitle({ tabId, title })
  ]).catch(() => undefined)
}
