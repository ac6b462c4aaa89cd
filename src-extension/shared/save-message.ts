import type { HostAnswers, HostQuestion } from '../../src-main/contract/extension.ts'

export type PageToSave = Extract<HostQuestion, { ask: 'save' }>['page']

/** The popup's message to the background, which goes on when the popup is closed. */
export interface SaveMessage {
  tabId: number
  page: PageToSave & { url: string }
  /** Whether the tab was read before it was sent; else the background adds its text and selection. */
  read: boolean
  /** Whether what is kept of the page was shown: then `page` takes its place, and else is added to it. */
  shown: boolean
  /** The title is no longer the tab's. */
  titled: boolean
  /** Whether a copy of the page is saved too. */
  copy: boolean
}

/** `copyFault`: the page is saved, but not its copy, and why. */
export type SaveOutcome = { status: HostAnswers['save']['status']; copyFault?: string } | { error: string }
