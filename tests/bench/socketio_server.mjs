// Serve the same answers by Socket.IO: its redis-streams adapter, its connection state recovery.
//
// node socketio_server.mjs REDIS-URL MODULES prints its port and serves until it is terminated.
// Each answer is a room; a piece is emitted to it every 20 ms with the fields of our frames.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.argv[3], "package.json"));
const { Server } = require("socket.io");
const { createAdapter } = require("@socket.io/redis-streams-adapter");
const { createClient } = require("redis");

const url = process.argv[2];
const client = createClient(
  url.startsWith("unix://") ? { socket: { path: url.slice(7) } } : { url },
);
await client.connect();
const http = createServer();
const io = new Server(http, {
  adapter: createAdapter(client),
  connectionStateRecovery: { maxDisconnectionDuration: 120000 },
  transports: ["websocket"],
  perMessageDeflate: false,
});

const PACE = 20;
let count = 0;
io.on("connection", (socket) => {
  socket.on("ask", (seconds) => {
    const room = `answer${count++}`;
    socket.join(room);
    const pieces = Math.round((seconds * 1000) / PACE);
    const start = performance.now();
    const origin = process.hrtime.bigint() - BigInt(Math.round(start * 1e6));
    let said = 0;
    const tell = (state, answerText) =>
      io.to(room).emit("element", {
        type: "element",
        id: "1",
        position: `1-${said}`,
        response: { answer: { name: "projects/p/sessions/1/answers/2", state, answerText } },
      });
    const step = () => {
      // The time at which the piece was due, on the clock that all processes share.
      const due = start + (said + 1) * PACE;
      const stamp = origin + BigInt(Math.round(Math.max(due, performance.now()) * 1e6));
      said += 1;
      tell("STREAMING", `${stamp} and a few words more `);
      if (said < pieces && socket.connected) {
        setTimeout(step, Math.max(0, start + (said + 1) * PACE - performance.now()));
      } else {
        tell("SUCCEEDED", "");
      }
    };
    setTimeout(step, PACE);
  });
});
http.listen(0, "127.0.0.1", () => console.log(http.address().port));
