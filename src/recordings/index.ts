export { importRaw, inspectRaw, type FileFacts, type ImportReport, type ImportRequest } from './import.js';
export {
  COUNTED,
  type Counted,
  type ImportOptions,
  USUAL_OPTIONS,
  type VenueName,
} from './import-options.js';
export { exportHftbacktest } from './hftbacktest.js';
export { importRemarks, readableRecordings } from './raw-cache.js';
