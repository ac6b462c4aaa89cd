import { Hono } from 'hono'
import { z } from 'zod'
import { filterOf } from '../../actions/bookmarks/search-bookmarks.ts'
import { beginLinkCheck, type LinkCheckStatus, linkCheckStatus } from '../../actions/link-checks.ts'
import { filterQuery } from '../../contract/bookmark-list.ts'
import { isoTime } from '../../core/iso-time.ts'
import { body } from '../body.ts'
import type { ServerContext } from '../context.ts'

/** Links that were found broken or moved, at most. */
const MOST_FOUND = 1000

const CheckRequest = z.union([
  z.strictObject({ ids: z.array(z.string().min(1).max(64)).min(1).max(1000) }),
  z.strictObject({ words: z.string().trim().min(1).max(1000).optional(), ...filterQuery })
])

/** Checks of links: begin one, see how far it is, stop it, list what it found. */
export function linkCheckRoutes({ ports, linkChecks }: ServerContext) {
  return new Hono()
    .get('/', async (c) => c.json(shown(await linkCheckStatus(ports))))
    .post('/', body(CheckRequest), async (c) => {
      const asked = c.req.valid('json')
      if ('ids' in asked) await beginLinkCheck(ports, asked)
      else {
        const { words, ...filters } = asked
        await beginLinkCheck(ports, { ...(await filterOf(ports, filters)), words })
      }
      linkChecks?.start()
      return c.json(shown(await linkCheckStatus(ports)), 202)
    })
    .post('/cancel', async (c) => {
      await ports.library.endLinkRound(ports.now(), true)
      return c.json(shown(await linkCheckStatus(ports)))
    })
    .get('/unchecked', async (c) => c.json({ unchecked: await ports.library.countUnchecked() }))
    .get('/found', async (c) => {
      const round = await ports.library.linkRound()
      return c.json(round ? await ports.library.markedLinks(round.beganAt, MOST_FOUND) : [])
    })
}

/** Times as ISO 8601. */
function shown({ round, paused }: LinkCheckStatus) {
  if (!round) return { round: null, paused }
  const { beganAt, endedAt, ...rest } = round
  return { round: { ...rest, beganAt: isoTime(beganAt), endedAt: endedAt === null ? null : isoTime(endedAt) }, paused }
}
