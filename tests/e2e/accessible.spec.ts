import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import Sqlite from 'better-sqlite3'
import { expectAccessible } from '../support/accessible.ts'
import { picture } from '../support/pictures.ts'
import { dragOver, expect, listOf, type RunningService, screenshots, test } from '../support/playwright.ts'
import { type Answering, page as answer, withServedWeb } from '../support/test-web.ts'

/** axe looks at every element, in `npm run test:all -- full` many times. */
test.describe.configure({ timeout: 600_000 })

/** States by their names, which their screenshots have too, each with how it is reached from the one before. */
type States = Record<string, () => Promise<unknown>>

/** Goes from state to state; axe and the camera look at each. */
async function look(page: Page, states: States): Promise<void> {
  for (const [name, reach] of Object.entries(states)) {
    await test.step(name, async () => {
      await reach()
      await expectAccessible(page, name)
      await screenshots(page, name)
    })
  }
}

const FAULT = { code: 'internal', message: 'It could not be read from its file.' }

/** What is done on a page to reach its states, in short; most of it names last what is then seen. */
function on(page: Page) {
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).filter({ visible: true })
  /** Waits within the page, which is sooner done than asking it again and again. */
  const see = async (what?: string | RegExp | Locator) => {
    if (what === undefined) return
    const found = typeof what === 'string' || what instanceof RegExp ? page.getByText(what) : what
    await found.filter({ visible: true }).first().waitFor()
  }
  type Seen = Parameters<typeof see>[0]
  const click = (target: Locator, seen: Seen) => target.click().then(() => see(seen))
  return {
    button,
    see,
    press: (name: string | RegExp, seen?: Seen) => click(button(name).first(), seen),
    item: (name: string, seen?: Seen) => click(page.getByRole('menuitem', { name }), seen),
    option: (name: string, seen?: Seen) => click(page.getByRole('option', { name }), seen),
    key: (key: string, seen?: Seen) => page.keyboard.press(key).then(() => see(seen)),
    fill: (name: string, text: string) => page.getByRole('textbox', { name, exact: true }).fill(text),
    tile: (text: string) => page.getByText(text, { exact: true }).filter({ visible: true }).last().click(),
    /** Answers as a service does that cannot: unlike one that is not there, nobody asks it twice. */
    fail: (path: string) => page.route(path, (route) => route.fulfill({ status: 500, json: { error: FAULT } })),
    mend: () => page.unrouteAll({ behavior: 'ignoreErrors' }),
    /** Another page, as its link leads there, once it has everything. */
    async go(address: string, seen?: Seen): Promise<void> {
      await page.evaluate((to) => history.pushState(null, '', to), address)
      await page.waitForFunction(() => document.querySelector('h1') && !document.querySelector('[aria-busy="true"]'))
      await see(seen)
    }
  }
}

/** Asks the service beside the page, as another tab would. */
function asker(page: Page, service: RunningService) {
  // biome-ignore lint/suspicious/noExplicitAny: each answer has its own shape, and a test knows it
  const ask = (path: string, data?: object, method?: string) => service.ask<any>(`/${path}`, data, method)
  /** Sends a message of the endpoint's, as an editor does. */
  const call = (key: string, method: string, params: object) =>
    page.request.post(service.mcp, { headers: { 'x-api-key': key }, data: { jsonrpc: '2.0', id: 1, method, params } })
  return {
    ask,
    tool: (key: string, name: string, args: object) => call(key, 'tools/call', { name, arguments: args }),
    call
  }
}

/** Bookmarks of each type, as people keep them. */
const KEPT = {
  fts: { type: 'link', url: 'https://sqlite.example/fts5', title: 'Full-text search', tags: ['sqlite', 'search'] },
  rust: { type: 'link', url: 'https://rust.example/book', title: 'Borrowing', visibility: 'public', tags: ['rust'] },
  lake: { type: 'image', url: 'https://images.example/lake.webp', title: 'A lake at dawn', tags: ['wallpaper'] },
  sand: { type: 'color', content: 'oklch(85% 0.12 90)', title: 'Sand', tags: [] },
  indigo: { type: 'color', content: '#4263eb', title: 'Indigo for buttons', tags: ['brand'] },
  blue: { type: 'color', content: '#4060e8', title: 'Nearly indigo', tags: [] },
  text: {
    type: 'text',
    content: 'PRAGMA synchronous = FULL;\nPRAGMA user_version;',
    title: 'Pragmas',
    tags: ['sqlite']
  }
}

/** Opens a library that holds these, and gives the address of each one's panel. */
async function openKept(page: Page, service: RunningService) {
  await service.open(page)
  const { ask, ...rest } = asker(page, service)
  const panels = {} as Record<keyof typeof KEPT, string>
  for (const [name, data] of Object.entries(KEPT)) {
    panels[name as keyof typeof KEPT] = `?open=${(await ask('bookmarks', data)).bookmark.id}`
  }
  await expect(listOf(page).getByRole('row')).toHaveCount(Object.keys(KEPT).length)
  return { ask, panels, ...rest }
}

test.describe('before one is let in', () => {
  test.use({ ownContext: true })

  test('axe finds nothing', async ({ page, service, host, shared, complaints }) => {
    await look(page, {
      'link-used': async () => {
        await page.goto(`${service.url}/login#used-up`)
        await on(page).see('This link no longer works')
      },
      'link-without-token': async () => {
        await page.goto(`${service.url}/login`)
        await on(page).see('This is not a login link')
      },
      'logged-out': async () => {
        await page.goto(service.url)
        await on(page).see('You are logged out')
      }
    })
    await page.goto(await service.newLogin())
    await listOf(page).waitFor()
    const { button, see, press, go, fail, mend } = on(page)
    await look(page, {
      'log-out': () => press('Log out', 'Log out?'),
      gone: async () => {
        await press('Cancel')
        await listOf(page)
          .getByRole('row')
          .first()
          .getByRole('gridcell')
          .click({ position: { x: 200, y: 4 } })
        await see(page.getByRole('textbox', { name: 'Title' }))
        await host('close', service.data, shared.port)
        await see('Earmark does not answer')
        await expect(button('Add')).toBeDisabled()
      },
      'fails-to-open': async () => {
        await host('open', service.data, shared.port)
        await fail('**/api/status')
        await page.reload()
        await see('Earmark could not be opened')
      },
      'no-answer': async () => {
        await mend()
        await page.route('**/api/status', (route) => route.abort())
        await page.reload()
        await see('npm start')
      },
      'session-ended': async () => {
        await mend()
        await page.reload()
        await see(listOf(page))
        letAWeekGoBy(service.data)
        await go('/settings', 'after 12 hours without use')
      }
    })
    complaints.length = 0 // the browser notes each connection that is refused
  })

  /** Lets a week go by for every session, as far as the library can tell. */
  function letAWeekGoBy(data: string): void {
    const db = new Sqlite(join(data, 'library.sqlite'), { timeout: 2000 })
    db.prepare('UPDATE sessions SET created_at = created_at - 7 * 86400000').run()
    db.close()
  }
})

test.describe('while a library is empty', () => {
  test.use({ pages: [] })

  test('axe finds nothing, and nothing in an import', async ({ page, service }) => {
    const { see, press, go, mend } = on(page)
    const html = ['https://kept.example/', 'https://kept.example/#again', 'javascript:alert(1)'].map(
      (url, index) => `<DT><A HREF="${url}" SHORTCUTURL="k">Kept ${index}</A>\n`
    )
    const choose = (text: string) =>
      page
        .locator('input[type="file"]')
        .setInputFiles({ name: 'bookmarks.html', mimeType: 'text/html', buffer: Buffer.from(text) })
    const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${html.join('')}</DL><p>\n`
    const counts = { imported: 1200, duplicate: 3, rejected: 0 }
    await service.open(page)
    await look(page, {
      'first-run': () => see('Welcome to Earmark'),
      'trash-page': () => go('/trash'),
      'tags-none': () => go('/tags'),
      'duplicates-none': () => go('/duplicates'),
      'not-found': () => go('/nowhere'),
      import: async () => {
        await go('/')
        await press('Import a file', 'Choose a file')
      },
      'import-refused': async () => {
        await choose('Dear diary')
        await see('not a bookmark file')
      },
      'import-preview': async () => {
        await choose(file)
        await see('Details that are not kept: keywords (2).')
      },
      'import-running': async () => {
        await page.route('**/api/imports?*dry-run=false', () => {})
        await page.route('**/api/imports/running/**', (route) =>
          route.fulfill({
            json:
              route.request().method() === 'GET'
                ? { ...counts, found: 1500, read: 99 }
                : { ...counts, rejects: [], cancelled: true }
          })
        )
        await press('Import 1 bookmark', '1,200 imported so far')
      },
      'import-cancelled': () => press('Cancel', 'What was imported stays'),
      imported: async () => {
        await mend()
        await press('Another file')
        await choose(file)
        await press('Import 1 bookmark', '1 bookmark imported.')
      },
      'duplicates-and-toast': () => press('Undo the import', '1 bookmark moved to the trash.'),
      trash: async () => {
        await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
        await go('/trash')
        await expect(listOf(page).getByRole('row')).toHaveCount(1)
      },
      confirm: () => press('Empty trash', 'Empty the trash?')
    })
  })
})

test.describe('in lists', () => {
  test.use({ pages: [] })

  test('axe finds nothing', async ({ page, service }) => {
    const { see, press, go, item, key } = on(page)
    const { ask } = await openKept(page, service)
    const rows = listOf(page).getByRole('row')
    const layout = (name: 'list' | 'compact' | 'grid') => page.locator(`label[for$="-${name}"]`).click()
    const acme = await ask('organizations', { name: 'Acme' })
    await look(page, {
      bookmarks: () => go('/'),
      images: () => go('/images'),
      colors: () => go('/colors'),
      links: () => go('/links'),
      texts: () => go('/texts'),
      search: () => go('/?q=sql&tag=sqlite'),
      'nothing-matches': () => go('/?q=zzz', 'Nothing matches'),
      loosened: () => go('/?q=borrowing+rust+talks', 'No bookmark has all of these words.'),
      rail: async () => {
        await go(`/?organization=${acme.id}`)
        await expect(page.getByRole('navigation').locator('[aria-current="page"]')).toHaveText(/Acme/)
      },
      'rail-saved-search': async () => {
        await ask('searches', { name: 'About SQL', address: '/?q=sql' })
        await go('/?q=sql')
        await expect(page.getByRole('navigation').locator('[aria-current="page"]')).toHaveText(/About SQL/)
      },
      'search-name-taken': async () => {
        await go('/?q=rust')
        await press('Save search')
        await page.getByRole('textbox', { name: 'Name' }).fill('ABOUT SQL')
        await key('Enter', 'There is already a saved search named ABOUT SQL.')
      },
      rule: async () => {
        await key('Escape')
        await press('Make a rule', page.getByRole('checkbox', { name: /^Apply it to/ }))
      },
      export: async () => {
        await key('Escape')
        await press('Export these bookmarks', page.getByRole('menuitem', { name: 'For spreadsheets' }))
      },
      grid: async () => {
        await key('Escape')
        await go('/')
        await layout('grid')
      },
      'bulk-tags': async () => {
        await listOf(page).focus()
        await key('x')
        await page.getByRole('toolbar').getByRole('button', { name: 'Tags' }).click()
        const tags = page.getByRole('dialog', { name: 'Tags of the selected bookmarks' })
        await expect(tags.getByRole('option')).not.toHaveCount(0)
      },
      'bulk-more': async () => {
        await key('Escape')
        await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
        await see(page.getByRole('menuitem', { name: 'Open 1 in tabs' }))
      },
      'bulk-move': async () => {
        await key('Escape')
        await page.getByRole('toolbar').getByRole('button', { name: 'Move' }).click()
        await see(page.getByRole('menuitem', { name: 'Public' }))
      },
      toast: async () => {
        await key('Escape')
        await listOf(page).focus()
        await key('Delete', on(page).button('Undo'))
      },
      'compact-and-row-menu': async () => {
        await layout('compact')
        await rows.first().click({ button: 'right' })
        await see(page.getByRole('menu'))
      },
      selected: async () => {
        await key('Escape')
        await layout('list')
        await listOf(page).focus()
        await key('Control+a')
        await page.getByRole('toolbar').getByRole('button', { name: 'Move' }).click()
        await item('Public')
        await expect(rows.filter({ hasText: 'Public' })).toHaveCount(6)
      },
      'home-narrow': async () => {
        await page.setViewportSize({ width: 360, height: 740 })
        await go('/links')
      },
      'agent-saved': async () => {
        await page.setViewportSize({ width: 1280, height: 720 })
        await go('/', page.getByRole('img', { name: 'Connected', exact: true }))
        await service.insert('https://agent.example/1', 'https://agent.example/2')
        await expect(listOf(page).locator('[data-new]')).toHaveCount(2)
      },
      'agent-saved-card': async () => {
        await layout('grid')
        await service.insert('https://agent.example/3')
        const card = listOf(page).getByRole('gridcell').filter({ hasText: 'agent.example/3' })
        await expect(card).toContainText(/by \w/)
      }
    })
    await layout('list')
    await service.insert(...Array.from({ length: 60 }, (_, at) => `https://page-${at}.example/`))
    // All of them: End goes to the last row of those that the list has by then.
    await expect.poll(async () => Number(await listOf(page).getAttribute('aria-rowcount'))).toBeGreaterThan(65)
    await expect(listOf(page)).not.toHaveAttribute('aria-busy', 'true')
    await listOf(page).focus()
    await key('End', rows.filter({ hasText: 'Borrowing' }))
    await look(page, {
      'one-new': async () => {
        await service.insert('https://agent.example/new')
        await see(on(page).button('1 new: show'))
      }
    })
  })
})

test.describe('in dialogs and the panel', () => {
  test.use({ pages: [] })

  test('axe finds nothing', async ({ page, service }) => {
    const { see, press, go, key, fill, mend } = on(page)
    const { ask, panels } = await openKept(page, service)
    const what = (text: string) => page.getByLabel('What to save').fill(text)
    const panel = async (name: keyof typeof KEPT) => {
      await go(`/${panels[name]}`)
      await expect(page.getByRole('complementary', { name: 'Bookmark' })).toContainText(/Saved /)
      await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(KEPT[name].title)
    }
    const tag = async (name: string) => {
      await page.getByRole('dialog').getByRole('combobox', { name: 'Tags' }).fill(name)
      await key('Enter')
    }
    const picked = {
      name: 'Soup.png',
      mimeType: 'image/png',
      buffer: Buffer.from(await picture('#ff6347', 'png', 300))
    }
    await look(page, {
      add: async () => {
        await key('n')
        await what('https://sqlite.example/fts5')
        await see('You have this already')
      },
      'add-existing': async () => {
        await tag('met-again')
        await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).focus()
        await see(on(page).button('Add these tags'))
      },
      'add-several': async () => {
        await what('https://one.several.example/\nhttps://two.several.example/\nhttps://rust.example/book')
        await see('3 addresses')
      },
      'add-picture': async () => {
        await what('')
        await page.getByRole('dialog').getByText('Image', { exact: true }).click()
        await page.locator('input[type="file"]').setInputFiles(picked)
        await see('Soup.png')
      },
      picture: async () => {
        await press('Save')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await listOf(page)
          .getByRole('row')
          .filter({ hasText: 'Soup' })
          .getByRole('gridcell')
          .click({ position: { x: 200, y: 4 } })
        await see('PNG, 300 × 300')
      },
      'picture-whole': () => press('Whole picture', page.getByRole('dialog').getByRole('img', { name: 'Soup' })),
      shortcuts: async () => {
        await key('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await listOf(page).focus()
        await key('?', 'Keyboard shortcuts')
      },
      palette: async () => {
        await key('Escape')
        await key('Control+k')
        await page.getByRole('combobox', { name: 'Find a bookmark or a command' }).fill('se')
        await see(page.getByRole('dialog').getByRole('option', { name: 'Settings' }))
        await see(page.getByRole('dialog').getByText('Full-text search'))
      },
      filter: async () => {
        await key('Escape')
        await go('/')
        await press('Filter', page.getByRole('dialog', { name: 'Filter bookmarks by' }))
      },
      'panel-link': async () => {
        await key('Escape')
        await panel('fts')
      },
      'panel-image': () => panel('lake'),
      'panel-color': () => panel('sand'),
      'similar-colors': async () => {
        await panel('indigo')
        const similar = page.getByRole('region', { name: 'Similar colors' })
        await expect(similar.getByRole('button')).toHaveCount(1)
      },
      'panel-text': () => panel('text'),
      'panel-saved': async () => {
        await panel('rust')
        await fill('Title', 'Borrowing and more')
        await see(page.getByRole('status').filter({ hasText: 'Saved' }))
      },
      'panel-refused': async () => {
        await fill('Address', KEPT.fts.url)
        await see('Not saved')
      },
      'panel-contested': async () => {
        await fill('Address', KEPT.rust.url)
        await page.route('**/api/bookmarks/*', (route) => route.abort())
        await fill('Title', 'Mine')
        await ask(`bookmarks/${panels.rust.replace('?open=', '')}`, { title: 'Theirs' }, 'PATCH')
        await expect(listOf(page)).toContainText('Theirs')
        await mend()
        await see('changed elsewhere while you typed')
      },
      drop: async () => {
        await dragOver(page, { items: { 'text/uri-list': 'https://drop.example/one' } })
        await see('Drop to save')
      }
    })
  })
})

test.describe('with keys', () => {
  test.use({ pages: [] })

  test('axe finds nothing', async ({ page, context, service }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const { see, press, go, tile, fill, fail, option, key, mend } = on(page)
    await service.open(page)
    const { ask, tool, call } = asker(page, service)
    await ask('organizations', { name: 'Acme' })
    const dialog = page.getByRole('dialog')
    const close = async () => {
      await key('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    let secret = ''
    await look(page, {
      'keys-unread': async () => {
        await fail('**/api/keys')
        await go('/profile/api-keys', 'The keys could not be read.')
      },
      'keys-none': async () => {
        await mend()
        await press('Try again', 'Your first key')
      },
      'key-nameless': () => press('Create key', 'A key needs a name.'),
      'key-for-editor': async () => {
        await tile('Gemini CLI')
        await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Gemini CLI')
      },
      'key-ends': async () => {
        await page.getByRole('combobox', { name: 'Owner' }).click()
        await option('Acme')
        await page.getByRole('combobox', { name: 'Expires' }).click()
        await see('After 30 days')
      },
      'key-made': async () => {
        await option('After 30 days')
        await press('Create key')
        secret = await page.getByText(/^emk_[0-9A-Za-z]{49}$/).innerText()
        await press('Test connection', 'It works')
      },
      'key-reached': async () => {
        await press('Copy Run in a terminal', /^Waiting for the first call/)
        await page.mouse.move(0, 0)
        const clientInfo = { name: 'agent', version: '1' }
        await call(secret, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
        await see(/reached Earmark at .*Waiting for its first call/)
      },
      'key-connected': async () => {
        await tool(secret, 'bookmarks.insert', { urls: ['https://a.example/', 'https://b.example/'] })
        await see(/^Connected:/)
      },
      'key-claude-desktop': async () => {
        await tile('Claude Desktop')
        await expect(page.getByRole('radio', { name: 'Claude Desktop' })).toBeChecked()
      },
      keys: async () => {
        await press('Copy the key')
        await press('Done')
        await expect(on(page).button('New key')).toBeFocused()
      },
      'key-calls': async () => {
        await press(/^Calls: /)
        await expect(dialog.getByRole('list', { name: 'Saved' }).getByRole('link')).toHaveCount(2)
      },
      'key-rotate': async () => {
        await close()
        await press(/^Rotate: /, dialog)
      },
      'key-rotated': async () => {
        await dialog.getByRole('button', { name: 'Rotate' }).click()
        await see('has a new key')
      },
      'key-left': () => press('Done', 'Leave without the key?'),
      'key-revoke': async () => {
        await press('Leave it')
        await press(/^Revoke: /, 'Revoke “Gemini CLI”?')
      },
      'keys-ended': async () => {
        await dialog.getByRole('button', { name: 'Revoke' }).click()
        await press(/ended key/, 'Revoked')
      },
      'key-connect': async () => {
        secret = (await ask('keys', { name: 'Pasted' })).key
        await press('Connect: Pasted')
        await dialog.getByText('Zed', { exact: true }).click()
        await see('or put it in place of PUT_YOUR_KEY_HERE yourself.')
      },
      'key-test-failed': async () => {
        await dialog.getByLabel('The key', { exact: true }).fill('emk_mistyped')
        await press('Test connection', 'It does not work yet')
      },
      'key-pasted': async () => {
        await dialog.getByLabel('The key', { exact: true }).fill(secret)
        await press('Test connection', 'It works')
      },
      'key-copy': async () => {
        await close()
        await ask('keys', { name: 'Kept', keyFile: true })
        await press('Copy from file: Kept', dialog)
      },
      'key-copy-failed': async () => {
        await fail('**/secret')
        await press('Copy', FAULT.message)
      },
      'editors-unread': async () => {
        await close()
        await fail('**/api/editors')
        await press('Connect: Kept')
        await dialog.getByText('Cursor', { exact: true }).click()
        await see('The editors of this machine could not be read.')
      },
      'key-write-in': async () => {
        await mend()
        await press('Try again')
        await press('Connect Cursor', 'This would change in')
      },
      'key-stored': async () => {
        await close()
        await page.route('**/api/keys', async (route) => {
          if (route.request().method() === 'GET') return route.fallback()
          const made = await ask('keys', route.request().postDataJSON())
          await route.fulfill({ status: 201, json: { ...made, keychain: 'stored' } })
        })
        await press('New key')
        await fill('Name', 'Stored')
        await press('Create key', 'Stored in your keychain. You can copy it from there later.')
      }
    })
  })
})

test('axe finds nothing in organizations and tags', async ({ page, service }) => {
  const { see, press, go, item, fail, mend } = on(page)
  const { ask, tool } = await openTags(page, service)
  const name = page.getByRole('textbox', { name: 'Name' })
  await look(page, {
    'organizations-unread': async () => {
      await fail('**/api/organizations')
      await page.goto(`${service.url}/organizations`)
      await see('The organizations could not be read.')
    },
    'organizations-none': async () => {
      await mend()
      await press('Try again', 'There are no organizations yet.')
    },
    'organization-new': () => press('New organization', name),
    'organization-name-taken': async () => {
      await ask('organizations', { name: 'Acme' })
      await name.fill('ACME')
      await press('Create', 'There is already an organization named ACME.')
    },
    organizations: async () => {
      await page.keyboard.press('Escape')
      const { key } = await ask('keys', { name: 'agent', organization: 'Acme' })
      await tool(key, 'bookmarks.insert', { urls: ['https://a.example/', 'https://acme.example/'] })
      await see('2 bookmarks, 1 key')
    },
    'organization-delete': async () => {
      await press('Delete: Acme', 'You already have one of these pages')
      await page.getByRole('dialog').getByRole('textbox').fill('acme')
    },
    tags: async () => {
      await page.keyboard.press('Escape')
      await go('/tags')
    },
    'tag-rename': async () => {
      await press('More about sqlite')
      await item('Rename', page.getByLabel('New name'))
    },
    'tag-merge': async () => {
      await page.keyboard.press('Escape')
      await press('More about sqlite')
      await item('Merge', page.getByRole('combobox', { name: 'Into' }))
    },
    'tags-selected': async () => {
      await page.keyboard.press('Escape')
      await page.getByRole('checkbox', { name: 'Select sqlite' }).click()
      await page.getByRole('checkbox', { name: 'Select rust' }).click({ modifiers: ['Shift'] })
      await see(/^\d selected$/)
    }
  })
})

async function openTags(page: Page, service: RunningService) {
  await service.open(page)
  const asking = asker(page, service)
  await asking.ask('bookmarks', KEPT.fts)
  await asking.ask('bookmarks', KEPT.rust)
  return asking
}

test.describe('with pages saved twice', () => {
  const twice = [
    'https://a.example/guide',
    'http://www.a.example/guide/',
    'https://b.example/',
    'https://b.example/index.html'
  ]
  test.use({ pages: twice })

  test('axe finds nothing in duplicates and settings', async ({ page, service }) => {
    const { see, press, go, mend } = on(page)
    await page.route('**/api/status', async (route) => {
      const status = await service.ask<object>('/status', undefined, 'GET')
      await route.fulfill({ json: { ...status, damaged: true } })
    })
    await service.open(page)
    const { ask } = asker(page, service)
    await look(page, {
      damaged: () => see('The library file is damaged'),
      duplicates: async () => {
        await mend()
        await page.goto(`${service.url}/duplicates`)
        await see('2 pages saved more than once')
      },
      'duplicates-one-merged': async () => {
        await page
          .getByRole('article', { name: /a\.example\/guide/ })
          .getByRole('button', { name: /^Merge/ })
          .click()
        await see('Merged. 1 bookmark is in the trash.')
      },
      'duplicates-merged': () => press(/^Merge/, 'No page is saved more than once.'),
      settings: () => go('/settings', page.getByRole('heading', { name: 'Help' })),
      'settings-backups': async () => {
        await ask('backups')
        await ask('imports/1/undo')
        await page.goto(`${service.url}/settings?part=import`)
        await see('Made by you')
        await expect(page.getByRole('region', { name: 'Import and export' })).toContainText('Undone')
      },
      restore: () => press(/^Restore the backup of/, 'will not be in it'),
      'settings-rules': async () => {
        await ask('rules', { query: 'site:a.example', tags: ['guide'] })
        await page.goto(`${service.url}/settings?part=rules`)
        await see('No new bookmark matched yet.')
      }
    })
  })
})

test('axe finds nothing in settings that were changed, or cannot be', async ({ page, service }) => {
  const { see, press, fill, fail, mend, key, go } = on(page)
  for (const folder of ['.config/chromium', 'snap/firefox']) {
    mkdirSync(join(service.data, 'home', folder), { recursive: true })
  }
  const file = join(service.data, 'urls.txt')
  writeFileSync(file, 'https://watched.example/\n')
  const copies = test.info().outputPath('copies')
  mkdirSync(copies, { recursive: true })
  await service.open(page)
  await look(page, {
    'settings-unread': async () => {
      await fail('**/api/settings')
      await page.goto(`${service.url}/settings`)
      await see('The settings could not be read.')
    },
    'settings-port-refused': async () => {
      await mend()
      await press('Try again', page.getByRole('heading', { name: 'Appearance' }))
      await go('/settings?part=advanced', page.getByRole('heading', { name: 'Status' }))
      await fill('Port', '80')
      await page.getByRole('region', { name: 'Service' }).getByRole('button', { name: 'Save' }).click()
      await see('Enter a number from 1024 to 65535.')
    },
    'settings-health': () => press('Check for problems', 'No problems found.'),
    'settings-watched': async () => {
      await go('/settings?part=import', page.getByRole('heading', { name: 'Watched files' }))
      await fill('Another file, by its full path', file)
      await key('Enter', '1 bookmark since Earmark started')
    },
    'settings-browsers': async () => {
      await go('/settings?part=browser', page.getByRole('heading', { name: 'Browser extension' }))
      await press('Connect Chromium', 'Chromium is connected.')
      await see('A browser from Snap cannot start Earmark')
    },
    'settings-copies-gone': async () => {
      await go('/settings?part=import', page.getByRole('heading', { name: 'Backups' }))
      await fill('Copy each backup to', copies)
      await page.getByRole('region', { name: 'Backups' }).getByRole('button', { name: 'Save' }).click()
      await see('Each backup is copied to')
      // A copy may still be being written.
      rmSync(copies, { recursive: true, maxRetries: 10, retryDelay: 100 })
      await page.reload()
      await see('There is no folder')
    }
  })
})

test('axe finds nothing in what was fetched: page details, the reader, broken links', async ({ page }) => {
  const { see, press, key, go } = on(page)
  const line = 'The patient gardener counts every apple, pear and quince in the walled orchard. '
  const sent = answer(Buffer.from(await picture('#3b7d5a', 'png', 640)), { 'content-type': 'image/png' })
  const pages: Record<string, Answering> = {
    'orchard.example/story': answer(`<html lang="en"><title>Orchards</title>
      <meta property="og:image" content="/big.png"><meta property="og:site_name" content="Garden weekly">
      <article><h1>Orchards</h1><p>${line.repeat(9)}</p><h2>Later</h2><ol><li>Pick <a href="/pick">when ripe</a></li></ol>
      <blockquote><p>An apple a day.</p></blockquote><pre>pick(tree)</pre>
      <table><tr><th>Fruit</th></tr><tr><td>Quince</td></tr></table><p>${line.repeat(30)}</p></article>`),
    'orchard.example/big.png': sent,
    'fades.example/': answer('<title>Fading story</title>')
  }
  await withServedWeb(pages, async (service) => {
    await page.goto(service.login)
    await see(page.getByRole('heading', { name: 'Welcome to Earmark' }))
    await service.insert(['http://orchard.example/story', 'http://fades.example/'])
    const row = (text: string) => listOf(page).getByRole('row').filter({ hasText: text })
    await see(row('Fading story'))
    await look(page, {
      'page-details': async () => {
        await row('Orchards').click()
        await see('Garden weekly')
        await see(/^Page details fetched/)
      },
      'page-reader': () => press('Read', page.getByRole('dialog').getByRole('heading', { name: 'Later' })),
      'page-reader-find': async () => {
        await key('Control+f')
        await page.keyboard.type('QUINCE')
        await see(/^\d+ of \d+$/)
      },
      'page-reader-look': async () => {
        await key('Escape')
        await press('Text appearance')
        await page.mouse.move(0, 400)
        await see('Sans')
        await expect(page.getByRole('tooltip')).toBeHidden()
      },
      'links-checked': async () => {
        delete pages['fades.example/']
        await go('/')
        await key('Control+k')
        await page.getByRole('combobox', { name: 'Find a bookmark or a command' }).fill('check links')
        await page.getByRole('option', { name: 'Check links', exact: true }).click()
        await go('/settings', /^Last check .*: 2 links\. 1 broken/)
      },
      'broken-link': async () => {
        await page.getByRole('link', { name: 'Broken links: 1' }).click()
        await row('Fading story').click()
        await see('This link is broken: the page is no longer there.')
      }
    })
  })
})
