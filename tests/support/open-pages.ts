/** The dashboard on a library of a few links, and how component tests find their way about it. */
import { fireEvent, waitFor, within } from '@testing-library/dom'
import { expect } from 'vitest'
import type { Service } from '../../src-main/service.ts'
import { type App, renderApp } from './render-app.ts'
import { callApi, callTool, makeKey, testService } from './service.ts'

/** The library of tests that choose none. */
const PAGES = ['https://a.example/', 'https://b.example/', 'https://c.example/']

/** Opens the dashboard on a library of these links, each with its address as its title. The last one is the newest. */
export async function openPages(urls = PAGES, path = '/'): Promise<{ app: App; service: Service }> {
  const service = await testService()
  for (const url of urls) await save(service, '/bookmarks', { type: 'link', url, title: url })
  const app = await renderApp(service, path)
  await app.page.findByRole('navigation')
  return { app, service }
}

export type Listed = Awaited<ReturnType<typeof openThreeLinks>>

/** Opens the dashboard on a library of three links: c.example, b.example and a.example, the newest first. */
export async function openThreeLinks(path = '/') {
  const { app, service } = await openPages(undefined, path)
  const key = await makeKey(service)
  return {
    app,
    service,
    /** Saves these addresses, as an editor's agent does. */
    insert: (...urls: string[]) => callTool(service, key, 'bookmarks.insert', { urls }),
    panel: () => panelOf(app),
    /** Waits for a field of the panel. */
    field: async (name: string) => (await panelOf(app)).findByRole('textbox', { name }),
    fill: (field: HTMLElement, text: string) => fill(app, field, text),
    list: () => app.page.findByRole('grid'),
    item: (text: string) => item(app, text),
    expectRows: (count: number, text?: string) => expectRows(app, count, text),
    /** The bookmark that keys act on. */
    active: () => document.querySelector<HTMLElement>('[role="grid"] [data-active]')
  }
}

/** Creates something with the API. */
export async function save(service: Service, path: string, data: object): Promise<void> {
  expect((await callApi(service, 'POST', path, data)).status).toBe(201)
}

/** Waits until this many rows of the list contain the text. */
export function expectRows(app: App, count: number, text?: string): Promise<void> {
  return waitFor(() => expect(app.rows(text)).toHaveLength(count))
}

/** Waits for the bookmark in the list that contains the text. */
export async function item(app: App, text: string): Promise<HTMLElement> {
  await waitFor(() => expect(app.rows(text)).not.toHaveLength(0))
  return within(app.rows(text)[0] as HTMLElement).getByRole('gridcell')
}

/** Waits for the panel of the open bookmark. */
export async function panelOf(app: App) {
  return within(await app.page.findByRole('complementary', { name: 'Bookmark' }))
}

/** Waits for the notification with this text. */
export async function notice(app: App, text: string | RegExp) {
  return within((await app.page.findByText(text, { exact: false })).closest('[role=alert]') as HTMLElement)
}

/** Replaces the text of a field at once. */
export async function fill(app: App, field: HTMLElement, text: string): Promise<void> {
  await app.user.clear(field)
  await app.user.paste(text)
}

/** The content of a drag or a clipboard: a text in forms by their type, or files. */
interface Content {
  items?: Record<string, string>
  files?: File[]
}

/** The content as a page receives it. */
export function transferOf({ items = {}, files = [] }: Content) {
  return {
    types: [...Object.keys(items), ...(files.length > 0 ? ['Files'] : [])],
    items: files.map(({ type }) => ({ kind: 'file', type })),
    files,
    getData: (type: string) => items[type] ?? ''
  }
}

/** Drops content on the page. @returns whether the page handled it; otherwise a browser would open the dropped content */
export function dropOnPage(content: Content): boolean {
  const dataTransfer = transferOf(content)
  fireEvent.dragOver(document.body, { dataTransfer })
  return !fireEvent.drop(document.body, { dataTransfer })
}
