import { waitFor, within } from '@testing-library/dom'
import { expect } from 'vitest'
import type { Service } from '../../src-main/service.ts'
import { type App, renderApp } from './render-app.ts'
import { callApi, testService } from './service.ts'

/** What a library holds where a test says nothing else. */
const PAGES = ['https://a.example/', 'https://b.example/', 'https://c.example/']

/** The dashboard on a library of these links, each with its address as its title. The last one is the newest. */
export async function openPages(urls = PAGES, path = '/'): Promise<{ app: App; service: Service }> {
  const service = await testService()
  for (const url of urls) await save(service, '/bookmarks', { type: 'link', url, title: url })
  const app = await renderApp(service, path)
  await app.page.findByRole('navigation')
  return { app, service }
}

/** Saves what the API takes. */
export async function save(service: Service, path: string, data: object): Promise<void> {
  expect((await callApi(service, 'POST', path, data)).status).toBe(201)
}

/** Waits until so many rows of the list hold this text. */
export function expectRows(app: App, count: number, text?: string): Promise<void> {
  return waitFor(() => expect(app.rows(text)).toHaveLength(count))
}

/** The bookmark in the list that holds this text, once it is there. */
export async function item(app: App, text: string): Promise<HTMLElement> {
  await waitFor(() => expect(app.rows(text)).not.toHaveLength(0))
  return within(app.rows(text)[0] as HTMLElement).getByRole('gridcell')
}

/** The panel of the bookmark that is open, once it is there. */
export async function panelOf(app: App) {
  return within(await app.page.findByRole('complementary', { name: 'Bookmark' }))
}

/** The notification that says this, once it is there. */
export async function notice(app: App, text: string | RegExp) {
  return within((await app.page.findByText(text, { exact: false })).closest('[role=alert]') as HTMLElement)
}

/** Puts a text into a field in one go, in place of what is in it. */
export async function fill(app: App, field: HTMLElement, text: string): Promise<void> {
  await app.user.clear(field)
  await app.user.paste(text)
}
