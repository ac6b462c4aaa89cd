import { expectRows, fill, item, openPages, panelOf } from './open-pages.ts'
import { callTool, makeKey } from './service.ts'

/** The dashboard on a library of links, and how to find its way about the list and the panel. */
export type Listed = Awaited<ReturnType<typeof openThreeLinks>>

/** Opens the dashboard on a library of three links: c.example, b.example and a.example, the newest first. */
export async function openThreeLinks(path = '/') {
  const { app, service } = await openPages(undefined, path)
  const key = await makeKey(service)
  return {
    app,
    service,
    /** Saves these addresses, as an editor's agent would. */
    insert: (...urls: string[]) => callTool(service, key, 'bookmarks.insert', { urls }),
    panel: () => panelOf(app),
    /** A field of the panel, once it is there. */
    field: async (name: string) => (await panelOf(app)).findByRole('textbox', { name }),
    fill: (field: HTMLElement, text: string) => fill(app, field, text),
    list: () => app.page.findByRole('grid'),
    item: (text: string) => item(app, text),
    expectRows: (count: number, text?: string) => expectRows(app, count, text),
    /** The bookmark that keys act on. */
    active: () => document.querySelector<HTMLElement>('[role="grid"] [data-active]')
  }
}
