# docker build -t oddsmith . && docker run --rm -it --read-only --tmpfs /tmp oddsmith
# Without an engine: node tools/docker-steps.mjs does the same steps in a temporary folder.
FROM node:20-slim AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

FROM base AS build
RUN npm ci
COPY tsconfig.json ./
COPY tools ./tools
COPY src ./src
COPY strategies ./strategies
RUN node tools/build.mjs --force && npm prune --omit=dev

FROM base
# The second copy of the kill switch lies among the files of the user, which is the volume here.
ENV NODE_ENV=production XDG_STATE_HOME=/app/.oddsmith/user
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY config ./config
# The `stateDir` of the files in config: all that is written.
RUN mkdir .oddsmith && chown node:node .oddsmith
VOLUME /app/.oddsmith
USER node
# A first SIGINT stops quoting and cancels everything, as it does in a terminal.
STOPSIGNAL SIGINT
# 9464 is the preferred port of metrics and health, and nobody else's inside a container.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9464/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=64", "--v8-pool-size=1", "dist/src/cli/main.js"]
CMD ["demo"]
