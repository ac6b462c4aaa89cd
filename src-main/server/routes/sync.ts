import { Hono } from 'hono'
import {
  changeSyncPassword,
  leaveSync,
  notSetUp,
  previewSync,
  setUpSync,
  syncCode
} from '../../actions/sync/set-up-sync.ts'
import { SyncJoin, SyncPassword, SyncPause, SyncSetup, type SyncState } from '../../contract/sync.ts'
import { isoTime } from '../../core/iso-time.ts'
import { body } from '../body.ts'
import type { ServerContext } from '../context.ts'

/** Synchronization with other machines: set up, look at, pause, end. */
export function syncRoutes({ ports, syncing }: ServerContext) {
  return new Hono()
    .get('/', async (c) => {
      const state = await ports.library.readSync()
      const unsent = state ? await ports.library.countUnsent() : 0
      const [waiting, progress] = [syncing.waiting(), syncing.progress() ?? null]
      const resentAt = syncing.resentAt()
      const resent = resentAt === undefined ? null : isoTime(resentAt)
      return c.json({ sync: state ? { ...shown(state), unsent, waiting, progress, resent } : null })
    })
    .post('/', body(SyncSetup), async (c) => c.json(await setUpSync(ports, c.req.valid('json')), 201))
    .post('/preview', body(SyncJoin), async (c) => c.json(await previewSync(ports, c.req.valid('json'))))
    .get('/code', async (c) => c.json({ code: await syncCode(ports) }))
    .put('/paused', body(SyncPause), async (c) => {
      if (!(await ports.library.readSync())) throw notSetUp()
      await ports.library.setSyncPaused(c.req.valid('json').paused)
      return c.body(null, 204)
    })
    .put('/password', body(SyncPassword), async (c) => {
      await changeSyncPassword(ports, c.req.valid('json').password)
      void syncing.now().catch(() => {}) // told by the next look
      return c.body(null, 204)
    })
    .delete('/', async (c) => {
      await leaveSync(ports)
      return c.body(null, 204)
    })
}

/** A round of sending and receiving takes the library in parts itself. */
export function syncNowRoutes({ syncing }: ServerContext) {
  return new Hono().post('/', async (c) => c.json(await syncing.now()))
}

function shown({ device, name, folder, paused, devices }: SyncState) {
  // Those that were never read are what this library was before a backup was restored.
  const others = devices
    .filter(({ seenAt }) => seenAt > 0)
    .map(({ device, name, seenAt }) => ({ device, name, seenAt: isoTime(seenAt) }))
  return { device, name, folder, paused, devices: others }
}
