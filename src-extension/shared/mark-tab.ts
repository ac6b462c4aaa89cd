import { text } from '../texts.ts'

const COLORS = { saved: '#2f9e44', failed: '#c92a2a' }

/** Shows on the button that the page of a tab is saved, or no longer. */
export async function markTab(tabId: number, isSaved: boolean): Promise<void> {
  await show(tabId, isSaved ? '✓' : '', COLORS.saved, isSaved ? text('isSaved') : text('title'))
}

/** Shows on the button that something of a tab was saved: not its page. */
export async function flashTab(tabId: number): Promise<void> {
  await show(tabId, '+', COLORS.saved, text('didSave'))
}

/** Shows on the button that something was not saved, or only the copy of a page, and why. */
export async function warnInTab(
  tabId: number,
  reason: string,
  what: 'failed' | 'copyFailed' = 'failed'
): Promise<void> {
  await show(tabId, '!', COLORS.failed, text(what, reason))
}

/** How often something was shown on the button of a tab. */
const shown = new Map<number, number>()

/** Returns how often the button of a tab was changed, so that nothing older replaces what it says now. */
export function changesOf(tabId: number): number {
  return shown.get(tabId) ?? 0
}

/** A tab may be gone by the time. */
async function show(tabId: number, text: string, color: string, title: string): Promise<void> {
  const { action } = chrome
  shown.set(tabId, changesOf(tabId) + 1)
  await Promise.all([
    action.setBadgeText({ tabId, text }),
    action.setBadgeBackgroundColor({ tabId, color }),
    action.setTitle({ tabId, title })
  ]).catch(() => undefined)
}
