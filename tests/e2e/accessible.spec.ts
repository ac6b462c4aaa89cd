// States of the dashboard that no other spec looks at. What a spec leaves on the screen is looked at by its fixture.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { dragOver, expect, listOf, look, type RunningService, test } from '../support/playwright.ts'

/** axe checks every element, in `npm run test:all -- full` in four color schemes. */
test.describe.configure({ timeout: 600_000 })
test.use({ pages: [] })

/** States by name, each with how to reach it from the one before. */
type States = Record<string, () => Promise<unknown>>

async function lookAtEach(page: Page, states: States): Promise<void> {
  for (const [name, reach] of Object.entries(states)) {
    await test.step(name, async () => {
      await reach()
      await look(page, name)
    })
  }
}

const FAULT = { code: 'internal', message: 'It could not be read from its file.' }

/** Short forms of what reaches a state. Most of them wait for `seen` at the end. */
function on(page: Page) {
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).filter({ visible: true })
  const see = async (seen?: string | RegExp | Locator) => {
    if (seen === undefined) return
    const target = typeof seen === 'string' || seen instanceof RegExp ? page.getByText(seen) : seen
    await target.filter({ visible: true }).first().waitFor()
  }
  type Seen = Parameters<typeof see>[0]
  const click = (target: Locator, seen: Seen) => target.click().then(() => see(seen))
  return {
    see,
    press: (name: string | RegExp, seen?: Seen) => click(button(name).first(), seen),
    option: (name: string, seen?: Seen) => click(page.getByRole('option', { name }), seen),
    key: (key: string, seen?: Seen) => page.keyboard.press(key).then(() => see(seen)),
    fill: (name: string, text: string) => page.getByRole('textbox', { name, exact: true }).fill(text),
    toolbar: (name: string, seen: Seen) => click(page.getByRole('toolbar').getByRole('button', { name }), seen),
    tile: (text: string) => page.getByText(text, { exact: true }).filter({ visible: true }).last().click(),
    /** Answers with an error that the page does not retry. */
    fail: (path: string) => page.route(path, (route) => route.fulfill({ status: 500, json: { error: FAULT } })),
    mend: () => page.unrouteAll({ behavior: 'ignoreErrors' }),
    /** Follows a link within the dashboard, until the page has its data. */
    async go(address: string, seen?: Seen): Promise<void> {
      await page.evaluate((to) => history.pushState(null, '', to), address)
      await page.waitForFunction(() => document.querySelector('h1') && !document.querySelector('[aria-busy="true"]'))
      await see(seen)
    },
    load: (address: string, seen: Seen) => page.goto(new URL(address, page.url()).href).then(() => see(seen))
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each answer has its own shape, and a test knows it
const asker = (service: RunningService) => (path: string, data?: object) => service.ask<any>(`/${path}`, data)

/** Sends a message to the endpoint, as an editor does. */
function call(page: Page, { mcp }: RunningService, key: string, method: string, params: object) {
  return page.request.post(mcp, { headers: { 'x-api-key': key }, data: { jsonrpc: '2.0', id: 1, method, params } })
}

/** A bookmark of each type. */
const BOOKMARKS = {
  fts: { type: 'link', url: 'https://sqlite.example/fts5', title: 'Full-text search', tags: ['sqlite', 'search'] },
  rust: { type: 'link', url: 'https://rust.example/book', title: 'Borrowing', visibility: 'public', tags: ['rust'] },
  lake: { type: 'image', url: 'https://images.example/lake.webp', title: 'A lake at dawn', tags: ['wallpaper'] },
  sand: { type: 'color', content: 'oklch(85% 0.12 90)', title: 'Sand', tags: [] },
  text: {
    type: 'text',
    content: 'PRAGMA synchronous = FULL;\nPRAGMA user_version;',
    title: 'Pragmas',
    tags: ['sqlite']
  }
}

/** Opens a library of these bookmarks, and gives their ids. */
async function openBookmarks(page: Page, service: RunningService) {
  await service.open(page)
  const ids = {} as Record<keyof typeof BOOKMARKS, string>
  for (const [name, data] of Object.entries(BOOKMARKS)) {
    ids[name as keyof typeof BOOKMARKS] = (await asker(service)('bookmarks', data)).bookmark.id
  }
  await expect(listOf(page).getByRole('row')).toHaveCount(Object.keys(BOOKMARKS).length)
  return ids
}

test.describe('before login', () => {
  test.use({ ownContext: true })

  test('axe finds no problem when login or start fails', async ({ page, service, complaints }) => {
    const { see, fail, mend } = on(page)
    await lookAtEach(page, {
      'link-used': async () => {
        await page.goto(`${service.url}/login#used-up`)
        await see('This link no longer works')
      },
      'link-without-token': async () => {
        await page.goto(`${service.url}/login`)
        await see('This is not a login link')
      },
      'fails-to-open': async () => {
        await service.open(page)
        await see('Welcome to Earmark')
        await fail('**/api/status')
        await page.reload()
        await see('Earmark could not be opened')
      },
      'no-answer': async () => {
        await mend()
        await page.route('**/api/status', (route) => route.abort())
        await page.reload()
        await see('npm start')
      }
    })
    complaints.length = 0 // the browser reports each connection that is refused
  })
})

test('axe finds no problem in an empty library and in an import', async ({ page, service }) => {
  const { see, press, go } = on(page)
  const choose = (text: string) =>
    page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'urls.txt', mimeType: 'text/plain', buffer: Buffer.from(text) })
  const counts = { imported: 1200, duplicate: 3, rejected: 0 }
  await service.open(page)
  await lookAtEach(page, {
    'first-run': () => see('Welcome to Earmark'),
    'trash-empty': () => go('/trash'),
    'tags-none': () => go('/tags'),
    'duplicates-none': () => go('/duplicates'),
    'highlights-none': () => go('/highlights', 'No highlights yet'),
    'not-found': () => go('/nowhere'),
    'import-refused': async () => {
      await go('/')
      await press('Import a file', 'Choose a file')
      await choose('Dear diary')
      await see('not a bookmark file')
    },
    'import-running': async () => {
      await page.route('**/api/imports?*dry-run=false', () => {})
      await page.route('**/api/imports/running/**', (route) => {
        const isPoll = route.request().method() === 'GET'
        const progress = { found: 1500, read: 99 }
        return route.fulfill({ json: { ...counts, ...(isPoll ? progress : { rejects: [], cancelled: true }) } })
      })
      await choose('https://imported.example/')
      await press('Import 1 bookmark', '1,200 imported so far')
    },
    'import-cancelled': () => press('Cancel', 'What was imported stays'),
    trash: async () => {
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
      const { bookmark } = await service.ask<{ bookmark: { id: string } }>('/bookmarks', BOOKMARKS.rust)
      await service.ask('/bookmarks/changes', { ids: [bookmark.id], change: { kind: 'delete' } })
      await go('/trash', listOf(page))
    },
    confirm: () => press('Empty trash', 'Empty the trash?')
  })
})

test('axe finds no problem in lists', async ({ page, service }) => {
  const { see, press, go, toolbar, key } = on(page)
  await openBookmarks(page, service)
  const ask = asker(service)
  const rows = listOf(page).getByRole('row')
  const current = page.getByRole('navigation').locator('[aria-current="page"]')
  const acme = await ask('organizations', { name: 'Acme' })
  await lookAtEach(page, {
    images: () => go('/?q=type:image'),
    colors: () => go('/?q=type:color'),
    links: () => go('/?q=type:link'),
    texts: () => go('/?q=type:text'),
    search: () => go('/?q=sql&tag=sqlite'),
    'nothing-matches': () => go('/?q=zzz', 'Nothing matches'),
    relaxed: () => go('/?q=borrowing+rust+talks', 'No bookmark has all of these words.'),
    organization: () => go(`/?organization=${acme.id}`, current.filter({ hasText: 'Acme' })),
    'saved-search': async () => {
      await ask('searches', { name: 'About SQL', address: '/?q=sql' })
      await go('/?q=sql', current.filter({ hasText: 'About SQL' }))
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
    'bulk-tags': async () => {
      await key('Escape')
      await go('/')
      await listOf(page).focus()
      await key('x')
      const tags = page.getByRole('dialog', { name: 'Tags of the selected bookmarks' })
      await toolbar('Tags', tags.getByRole('option'))
    },
    'bulk-move': async () => {
      await key('Escape')
      await toolbar('Move', page.getByRole('menuitem', { name: 'Public' }))
    },
    selected: async () => {
      await key('Escape')
      await listOf(page).focus()
      await key('Control+a')
      await toolbar('Move', page.getByRole('menuitem', { name: 'Public' }))
      await page.getByRole('menuitem', { name: 'Public' }).click()
      await expect(rows.filter({ hasText: 'Public' })).toHaveCount(5)
    },
    'row-menu': async () => {
      await key('Escape')
      await rows.first().click({ button: 'right' })
      await see(page.getByRole('menu'))
    }
  })
})

test('axe finds no problem in dialogs and in the panel', async ({ page, service }) => {
  const { see, press, go, key, fill, mend } = on(page)
  const ids = await openBookmarks(page, service)
  const dialog = page.getByRole('dialog')
  const panel = async (name: keyof typeof BOOKMARKS) => {
    await go(`/?open=${ids[name]}`)
    await expect(page.getByRole('complementary', { name: 'Bookmark' })).toContainText(/Saved /)
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(BOOKMARKS[name].title)
  }
  await lookAtEach(page, {
    'add-existing': async () => {
      await key('n')
      await fill('What to save', BOOKMARKS.fts.url)
      await see(/^Already saved on /)
      await dialog.getByRole('combobox', { name: 'Tags' }).fill('met-again')
      await key('Enter')
      await dialog.getByRole('textbox', { name: 'Title' }).focus()
      await see(page.getByRole('button', { name: 'Add these tags' }))
    },
    'add-several': async () => {
      await fill(
        'What to save',
        'https://one.several.example/\nhttps://two.several.example/\nhttps://rust.example/book'
      )
      await see('3 addresses')
    },
    shortcuts: async () => {
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
      await listOf(page).focus()
      await key('?', 'Keyboard shortcuts')
    },
    filter: async () => {
      await key('Escape')
      await press('Filter', page.getByRole('dialog', { name: 'Filter bookmarks by' }))
    },
    'panel-image': async () => {
      await key('Escape')
      await panel('lake')
    },
    'panel-color': () => panel('sand'),
    'panel-text': () => panel('text'),
    'panel-refused': async () => {
      await panel('rust')
      await fill('Title', 'Borrowing and more')
      await see(page.getByRole('status').filter({ hasText: 'Saved' }))
      await fill('Address', BOOKMARKS.fts.url)
      await see('Not saved')
    },
    'panel-contested': async () => {
      await fill('Address', BOOKMARKS.rust.url)
      await page.route('**/api/bookmarks/*', (route) => route.abort())
      await fill('Title', 'Mine')
      await service.ask(`/bookmarks/${ids.rust}`, { title: 'Theirs' }, 'PATCH')
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

test('axe finds no problem in keys', async ({ page, context, service }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { see, press, go, tile, fail, option, key, mend } = on(page)
  await service.open(page)
  const ask = asker(service)
  await ask('organizations', { name: 'Acme' })
  const dialog = page.getByRole('dialog')
  const close = () => key('Escape').then(() => dialog.waitFor({ state: 'detached' }))
  let secret = ''
  await lookAtEach(page, {
    'keys-unread': async () => {
      await fail('**/api/keys')
      await go('/profile/api-keys', 'The keys could not be read.')
    },
    'key-nameless': async () => {
      await mend()
      await press('Try again', 'Your first key')
      await press('Create key', 'A key needs a name.')
    },
    'key-expires': async () => {
      await tile('Gemini CLI')
      await page.getByRole('combobox', { name: 'Owner' }).click()
      await option('Acme')
      await page.getByRole('combobox', { name: 'Expires' }).click()
      await see('After 30 days')
    },
    'key-connected': async () => {
      await option('After 30 days')
      await press('Create key')
      secret = await page.getByText(/^emk_[0-9A-Za-z]{49}$/).innerText()
      await press('Copy Run in a terminal', /^Waiting for the first call/)
      await page.mouse.move(0, 0)
      await call(page, service, secret, 'tools/call', { name: 'bookmarks.search', arguments: {} })
      await see(/^Connected:/)
    },
    'key-claude-desktop': async () => {
      await tile('Claude Desktop')
      await expect(page.getByRole('radio', { name: 'Claude Desktop' })).toBeChecked()
    },
    'key-rotated': async () => {
      await press('Copy the key')
      await press('Done')
      await press(/^Rotate: /, dialog)
      await dialog.getByRole('button', { name: 'Rotate' }).click()
      await see('has a new key')
    },
    'key-left': () => press('Done', 'Leave without the key?'),
    'key-test-failed': async () => {
      await press('Leave without copying')
      secret = (await ask('keys', { name: 'Pasted' })).key
      await press('Connect: Pasted')
      await dialog.getByText('Zed', { exact: true }).click()
      await dialog.getByLabel('The key', { exact: true }).fill('emk_mistyped')
      await press('Test connection', 'It does not work yet')
    },
    'key-pasted': async () => {
      await dialog.getByLabel('The key', { exact: true }).fill(secret)
      await press('Test connection', 'It works')
    },
    'key-copy-failed': async () => {
      await close()
      await ask('keys', { name: 'Kept', keyFile: true })
      await press('Copy from file: Kept', dialog)
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
    }
  })
})

test('axe finds no problem in organizations', async ({ page, service }) => {
  const { see, press, go, key, fail, mend } = on(page)
  await service.open(page)
  const ask = asker(service)
  const name = page.getByRole('textbox', { name: 'Name' })
  await lookAtEach(page, {
    'organizations-unread': async () => {
      await fail('**/api/organizations')
      await page.reload()
      await go('/organizations', 'The organizations could not be read.')
    },
    'organization-name-taken': async () => {
      await mend()
      await press('Try again', 'There are no organizations yet.')
      await ask('organizations', { name: 'Acme' })
      await press('New organization', name)
      await name.fill('ACME')
      await press('Create', 'There is already an organization named ACME.')
    },
    'organization-delete': async () => {
      await key('Escape')
      const { key: secret } = await ask('keys', { name: 'agent', organization: 'Acme' })
      await ask('bookmarks', { type: 'link', url: 'https://a.example/' })
      const insert = { name: 'bookmarks.insert', arguments: { urls: ['https://a.example/'] } }
      await call(page, service, secret, 'tools/call', insert)
      await see('1 bookmark, 1 key')
      await press('Delete: Acme', 'You already have one of these pages')
    }
  })
})

test('axe finds no problem in settings', async ({ page, service }) => {
  const { see, press, fill, fail, mend, key, load } = on(page)
  const ask = asker(service)
  for (const folder of ['.config/chromium', 'snap/firefox']) {
    mkdirSync(join(service.data, 'home', folder), { recursive: true })
  }
  const file = join(service.data, 'urls.txt')
  writeFileSync(file, 'https://watched.example/\n')
  const copies = test.info().outputPath('copies')
  mkdirSync(copies, { recursive: true })
  await service.open(page)
  await lookAtEach(page, {
    'settings-unread': async () => {
      await fail('**/api/settings')
      await load('/settings', 'The settings could not be read.')
      await mend()
    },
    'settings-advanced': async () => {
      await load('/settings?part=advanced', page.getByRole('heading', { name: 'Status' }))
      await press('Check for problems', 'No problems found.')
      await fill('Port', '80')
      await page.getByRole('region', { name: 'Service' }).getByRole('button', { name: 'Save' }).click()
      await see('Enter a number from 1024 to 65535.')
    },
    'settings-browsers': async () => {
      await load('/settings?part=browser', 'A browser from Snap cannot start Earmark')
      await press('Connect Chromium', 'Chromium is connected.')
    },
    'settings-rules': async () => {
      await ask('rules', { query: 'site:a.example', tags: ['guide'] })
      await load('/settings?part=rules', 'No new bookmark matched yet.')
    },
    'settings-import': async () => {
      await ask('backups')
      await load('/settings?part=import', 'Made by you')
      await fill('Another file, by its full path', file)
      await key('Enter', '1 bookmark since Earmark started')
    },
    'settings-restore': () => press(/^Restore the backup of/, 'will not be in it'),
    'settings-copies-gone': async () => {
      await key('Escape')
      await fill('Copy each backup to', copies)
      await page.getByRole('region', { name: 'Backups' }).getByRole('button', { name: 'Save' }).click()
      await see('Each backup is copied to')
      // A copy may still be being written.
      rmSync(copies, { recursive: true, maxRetries: 10, retryDelay: 100 })
      await page.reload()
      await see('There is no folder')
    },
    damaged: async () => {
      await page.route('**/api/status', async (route) => {
        const status = await service.ask<object>('/status', undefined, 'GET')
        await route.fulfill({ json: { ...status, damaged: true } })
      })
      await load('/', 'The library file is damaged')
    }
  })
})
