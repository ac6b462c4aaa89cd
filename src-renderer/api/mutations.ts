/** Changes that several pages make. */
import { plural, t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import type { ExportFormatId } from '../../src-main/contract/library-export.ts'
import type { SavedSearch } from '../../src-main/contract/rule.ts'
import { exportAddress } from '../lib/export-address.ts'
import { writeClipboard } from '../lib/host.ts'
import { number } from '../lib/locale.ts'
import { notify } from '../ui/notify.tsx'
import { api, ask, noteOpened, type ShownBookmark } from './client.ts'
import { queryClient, refetch } from './events.ts'
import { type ListQuery, linkChecksOptions, settingsOptions, statusOptions } from './queries.ts'
import { notifyWithUndo } from './undo.ts'

type SettingsChange = Parameters<typeof api.settings.$patch>[0]['json']

/**
 * Changes some settings. They are shown at once, and restored if the service refuses. Only a new port is not shown before
 * the service has accepted it, because it is often in use. `quiet`: the caller shows the error.
 */
export function useChangeSettings({ quiet = false } = {}) {
  const { queryKey } = settingsOptions
  return useMutation({
    meta: { quiet },
    mutationFn: (change: SettingsChange) => ask(api.settings.$patch({ json: change })),
    async onMutate(change) {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      if (before && change.port === undefined) queryClient.setQueryData(queryKey, { ...before, ...change })
      return before
    },
    onSuccess: (settings) => queryClient.setQueryData(queryKey, settings),
    onError: (_error, _change, before) => queryClient.setQueryData(queryKey, before)
  })
}

/** The names of places in the sidebar, as settings list the pinned ones. */
export const pinName = {
  search: (id: string) => `search:${id}`,
  organization: (id: string) => `organization:${id}`,
  tag: (name: string) => `tag:${name}`
}

/** The places that are pinned to the top of the sidebar, in the order of pinning. */
export function usePins() {
  const { queryKey } = settingsOptions
  const pins = useQuery(settingsOptions).data?.pins ?? []
  const { mutate } = useMutation({
    // One after another, each based on the service's pins: another window may have changed them.
    scope: { id: 'pins' },
    async mutationFn(change: (pins: string[]) => string[]) {
      const settings = await ask(api.settings.$get())
      return ask(api.settings.$patch({ json: { pins: change(settings.pins) } }))
    },
    async onMutate(change) {
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData(queryKey, (shown) => shown && { ...shown, pins: change(shown.pins) })
    },
    onSuccess: (settings) => queryClient.setQueryData(queryKey, settings),
    onError: () => void queryClient.invalidateQueries({ queryKey })
  })
  return {
    pins,
    toggle(pin: string) {
      const isPinned = pins.includes(pin)
      mutate((all) => (isPinned ? all.filter((other) => other !== pin) : [...new Set([...all, pin])]))
    },
    /** Pins a renamed place under its new name. The old name stays pinned for an undo; it is not shown without a place. */
    rename(from: string[], to: string) {
      if (!pins.some((pin) => from.includes(pin)) || pins.includes(to)) return
      mutate((all) => {
        const index = all.findIndex((pin) => from.includes(pin))
        return index < 0 || all.includes(to) ? all : all.toSpliced(index, 0, to)
      })
    }
  }
}

/** Changes to saved searches. The dialog shows why a name is refused. */
export function useSearchChanges() {
  const changes = ['searches' as const]
  const save = useMutation({
    mutationFn: (json: { name: string; address: string }) => ask(api.searches.$post({ json })),
    meta: { quiet: true, changes },
    onSuccess: ({ name, undo }) => notifyWithUndo(t`Saved as “${name}”.`, undo)
  })
  const rename = useMutation({
    mutationFn: ({ search: { id }, name }: { search: SavedSearch; name: string }) =>
      ask(api.searches[':id'].$patch({ param: { id }, json: { name } })),
    meta: { quiet: true, changes },
    onSuccess: ({ undo }, { name }) => notifyWithUndo(t`Renamed to “${name}”.`, undo)
  })
  const update = useMutation({
    mutationFn: ({ search: { id }, address }: { search: SavedSearch; address: string }) =>
      ask(api.searches[':id'].$patch({ param: { id }, json: { address } })),
    meta: { changes },
    onSuccess: ({ undo }, { search }) => notifyWithUndo(t`“${search.name}” is updated.`, undo)
  })
  const drop = useMutation({
    mutationFn: ({ id }: SavedSearch) => ask(api.searches[':id'].$delete({ param: { id } })),
    meta: { changes },
    onSuccess: ({ undo }, { name }) => notifyWithUndo(t`“${name}” is deleted. Its bookmarks stay.`, undo)
  })
  return { save, rename, update, drop }
}

type CheckedLinks = Parameters<(typeof api)['link-checks']['$post']>[0]['json']

/** Checks all links, or those of some bookmarks. */
export function useCheckLinks() {
  const [, go] = useLocation()
  return useMutation({
    mutationFn: (links: CheckedLinks) => ask(api['link-checks'].$post({ json: links })),
    onSuccess(status) {
      queryClient.setQueryData(linkChecksOptions.queryKey, status)
      notify(t`Checking links in the background.`, [{ label: t`Show`, run: () => go('/settings') }])
    }
  })
}

/** Shows the result when a link check ends that the owner started. */
export function useCheckEnd(): void {
  const check = useQuery(linkChecksOptions).data?.check
  const running = useRef<string>(undefined)
  useEffect(() => {
    if (!check) return
    if (check.endedAt === null) running.current = check.beganAt
    else if (running.current === check.beganAt) {
      running.current = undefined
      if (!check.cancelled)
        notify(
          t`${plural(check.checked, { one: '# link', other: '# links' })} checked: ${number(check.broken)} broken, ${number(check.moved)} moved.`
        )
    }
  }, [check])
}

/** The storage key of the version of Earmark that this browser showed last. */
const VERSION_KEY = 'earmark-version'

/** Offers the release notes once after an update, but not in a browser that shows Earmark for the first time. */
export function useUpdateNotice(): void {
  const version = useQuery(statusOptions).data?.version
  const [, go] = useLocation()
  useEffect(() => {
    if (version === undefined) return
    const last = localStorage.getItem(VERSION_KEY)
    localStorage.setItem(VERSION_KEY, version)
    if (last === null || last === version) return
    const showNews = () => go(`/settings?part=help&page=CHANGELOG&since=${last}`)
    notify(t`Earmark was updated to ${version}.`, [{ label: t`What’s new`, run: showNews }])
  }, [version, go])
}

/** Records that the web pages of these bookmarks were opened. A failure is not shown. */
export function noteOpenings(ids: string[]): void {
  noteOpened(ids).then(
    () => refetch(['openings']),
    () => {}
  )
}

/** Whether opening this bookmark shows the stored text of its page, as the owner has set. */
export function readsFirst({ hasText, deletedAt }: Pick<ShownBookmark, 'hasText' | 'deletedAt'>): boolean {
  return hasText && deletedAt === null && queryClient.getQueryData(settingsOptions.queryKey)?.readFirst === true
}

/** Returns the props of a link to a bookmark's web page. The middle button opens it too. */
export function notedOpening(id: string) {
  const note = () => noteOpenings([id])
  return { onClick: note, onAuxClick: ({ button }: { button: number }) => button === 1 && note() }
}

interface ExportRequest {
  format: ExportFormatId
  /** The query of the list; absent for all bookmarks. */
  query?: ListQuery
  /** The selected bookmarks; absent for the whole list. */
  chosen?: { ids: string[] } | { all: ListQuery; except: string[] }
}

/** Downloads bookmarks as a file. The service streams it, so its size is not limited. */
export function useSaveExport() {
  return useMutation({
    async mutationFn({ format, query, chosen }: ExportRequest) {
      const { all: listed, ...selection } = chosen ? { all: undefined, ...chosen } : { all: query }
      const { ticket } = await ask(api.exports.tickets.$post({ json: selection }))
      const link = document.createElement('a')
      link.href = exportAddress(ticket, format, listed)
      link.download = ''
      link.click()
    }
  })
}

/** Copies a report on this installation, to be sent with a question. It has no titles and no addresses. */
export function useCopyReport() {
  return useMutation({
    mutationFn: async () => writeClipboard((await ask(api.status.report.$get())).report),
    onSuccess: () => notify(t`Report copied. It has no titles and no addresses.`)
  })
}
