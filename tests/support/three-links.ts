import { waitFor, within } from '@testing-library/dom'
import { expect } from 'vitest'
import { renderApp } from './render-app.ts'
import { callTool, makeKey, testService } from './service.ts'

/** The dashboard on a library of links, and how to find its way about the list and the panel. */
export type Listed = Awaited<ReturnType<typeof openLinks>>

/** Opens the dashboard on a library of three links: c.example, b.example and a.example, the newest first. */
export function openThreeLinks(path = '/'): Promise<Listed> {
  return openLinks(path, 'https://a.example/', 'https://b.example/', 'https://c.example/')
}

async function openLinks(path: string, ...urls: string[]) {
  const service = await testService()
  const key = await makeKey(service)
  /** Saves these addresses, as an editor's agent would. */
  const insert = (...more: string[]) => callTool(service, key, 'bookmarks.insert', { urls: more })
  await insert(...urls)
  const app = await renderApp(service, path)
  /** The panel of the bookmark that is open, once it is there. */
  const panel = async () => within(await app.page.findByRole('complementary', { name: 'Bookmark' }))
  return {
    app,
    service,
    insert,
    panel,
    /** A field of the panel, once it is there. */
    field: async (name: string) => (await panel()).findByRole('textbox', { name }),
    /** Puts a text into a field in one go, in place of what is in it. */
    async fill(field: HTMLElement, text: string): Promise<void> {
      await app.user.clear(field)
      await app.user.paste(text)
    },
    list: () => app.page.findByRole('grid'),
    /** The bookmark in the list that holds this text, once it is there. */
    item: (text: string) =>
      waitFor(() => {
        const cell = app.rows(text)[0]?.querySelector<HTMLElement>('[role="gridcell"]')
        if (!cell) throw new Error(`No row of the list holds “${text}”.`)
        return cell
      }),
    /** Waits until so many rows hold this text. */
    expectRows: (count: number, text?: string) => waitFor(() => expect(app.rows(text)).toHaveLength(count)),
    /** The bookmark that keys act on. */
    active: () => document.querySelector<HTMLElement>('[role="grid"] [data-active]')
  }
}
