/** The owner's settings of the extension, which stay in this browser. */
export interface Choices {
  /** Whether the text of a page is sent, so that searches find it. */
  sendText: boolean
  /** Whether opening the popup saves the page. */
  saveFirst: boolean
  /** Whether a copy of each page is saved. */
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
