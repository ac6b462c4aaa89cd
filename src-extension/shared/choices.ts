/** The owner's settings of the extension; kept in this browser alone. */
export interface Choices {
  /** Whether the text of a page goes along with it, to find it by. */
  sendText: boolean
  /** Whether opening the popup saves the page. */
  saveFirst: boolean
}

const USUAL: Choices = { sendText: true, saveFirst: true }

export function readChoices(): Promise<Choices> {
  return chrome.storage.local.get(USUAL)
}

export function keepChoices(choices: Partial<Choices>): Promise<void> {
  return chrome.storage.local.set(choices)
}

/** Lets the extension see the address of each tab, so that it can mark those whose page is saved. */
export const SEES_TABS = { permissions: ['tabs'] }
