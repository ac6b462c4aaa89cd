import { common } from './common.ts'

/** Settings. */
export const settings = {
  failed: 'The settings could not be read.',
  appearance: 'Appearance',
  theme: 'Theme',
  system: 'As the system',
  light: 'Light',
  dark: 'Dark',
  saving: 'Saving',
  visibility: 'New bookmarks are',
  private: 'Private',
  privateText: 'Only you and your own keys see them.',
  public: 'Public',
  publicText: 'Keys of your organizations see them too.',
  details: 'Fetch page details',
  detailsText:
    'Titles, descriptions and icons come from the pages you save. Apart from these requests nothing leaves this machine.',
  service: 'Service',
  port: 'Port',
  portText: (current: string) =>
    `Earmark listens on ${current} now. Another port holds from the next start; editors then need the new address.`,
  portFault: 'Give a number from 1024 to 65535.',
  usual: 'Use 20727 again',
  saved: 'Saved.',
  savedPort: (port: number) => `Saved. Earmark listens on ${port} from its next start.`,
  data: 'Your data',
  folder: 'Data folder',
  folderText: 'Everything is in this folder, which only your account can read.',
  status: 'Status',
  address: 'Address',
  endpoint: 'MCP endpoint',
  alive: 'Connected',
  away: 'Not connected',
  version: 'Version',
  since: 'Running since',
  library: 'Library',
  size: (bookmarks: number, bytes: string) => `${common.bookmarks(bookmarks)}, ${bytes}`,
  unindexed: (count: number) => `Preparing search: ${common.number(count)} to go.`,
  backup: 'Last backup',
  noBackup: 'None yet',
  bytes: (count: number) => (count < 1e6 ? `${Math.ceil(count / 1000)} kB` : `${(count / 1e6).toFixed(1)} MB`)
}
