/** The owner's settings of the extension; kept in this browser alone. */
export interface Choices {
  /** Whether the text of a page goes along with it, to find it by. */
  sendText: boolean
  /** Whether opening the popup saves the page. */
  saveFirst: boolean
  /** Whether a copy of the page is saved with it. */
  saveCopy: boolean
}

const USUAL: Choices = { sendText: true, saveFirst: true, saveCopy: false }

export function readChoices(): Promise<Choices> {
  return chrome.storage.local.get(USUAL)
}

export function keepChoices(choices: Partial<Choices>): Promise<void> {
  return chrome.storage.local.set(choices)
}

/** Lets the extension take copies of pages in Chromium. */
const TAKES_COPIES = { permissions: ['pageCapture'] }

export const isChromium = () => chrome.runtime.getURL('').startsWith('chrome-extension:')

/** Whether the extension can take copies. In Firefox it reads the page itself, which it may do anyway. */
export const mayCopy = async () => !isChromium() || chrome.permissions.contains(TAKES_COPIES)

/** Asks for the permission to take copies, in answer to a click. */
export const askToCopy = async () => !isChromium() || chrome.permissions.request(TAKES_COPIES)

/** Lets the extension see the address of each tab, so that it can mark those whose page is saved. */
export const SEES_TABS = { permissions: ['tabs'] }
