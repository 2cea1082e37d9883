var Ze=new CSSStyleSheet;Ze.replaceSync('.text{overflow-wrap:anywhere}.text>*{margin-block:8px}.text h4{font-size:1rem}.text :is(ul,ol){padding-inline-start:1.6em}.text blockquote{margin-inline:0;padding-inline-start:12px;border-inline-start:3px solid var(--_line)}.text code{font-family:ui-monospace,monospace;font-size:.92em}.text pre{margin:0;padding:12px;overflow-x:auto}.text .code{display:flex;flex-wrap:wrap;justify-content:end;background:var(--_paper);border:1px solid var(--_line);border-radius:8px}.text .code pre{flex:1 1 100%;min-width:0;order:1;padding-block-start:0}.text .code .copy{border:0;background:none;font-size:.85rem;color:var(--_accent)}.text .code .cites{order:2;padding:0 8px 8px}.text .table{overflow-x:auto}.text table{border-collapse:collapse}.text :is(th,td){border:1px solid var(--_line);padding:4px 8px;text-align:start;vertical-align:top;overflow-wrap:normal}.host{color:var(--_soft);font-size:.9em}.cites{white-space:nowrap}.cite{position:relative;min-height:20px;min-width:20px;padding:0 5px;margin-inline-start:3px;border-radius:6px;font-size:.72rem;line-height:1.5;vertical-align:super;color:var(--_accent)}.cite:after{content:"";position:absolute;inset:-12px -3px}:is(.cite,.icon,.title,.chips button):hover{background:var(--_shade)}.sources{margin:10px 0 0;padding-block:4px 0;padding-inline-start:1.8em;border-block-start:1px solid var(--_line);font-size:.92rem}.sources button{border:0;padding:2px 6px;background:none;color:var(--_accent);text-align:start;text-decoration:underline}.nearest{border:0;margin:0;list-style:disc}[data-refused] .state{font-size:1rem;color:var(--_ink)}[data-refused] p{margin-block:10px 0;color:var(--_soft)}.help{display:flex;flex-wrap:wrap;gap:8px;align-items:center;margin-block-start:8px}.contact{display:inline-flex;align-items:center;min-height:44px}.icon{display:inline-flex;align-items:center;justify-content:center;gap:4px;padding:8px;border-color:transparent;background:none;color:var(--_soft);font-size:.85rem}.icon svg{width:20px;height:20px;fill:currentColor;flex:none}.icon[aria-pressed=true]{color:var(--_accent)}.asked{display:flex;justify-content:flex-end;align-items:center;gap:2px;margin-block:20px 8px}.asked .query{margin:0}.asked .icon{opacity:0}.asked:is(:hover,:focus-within) .icon{opacity:1}@media(hover:none){.asked .icon{opacity:1}}.tools{margin-block:6px -8px;margin-inline:-8px}.tools .buttons{display:flex;flex-wrap:wrap}.feedback{padding-inline:8px;font-size:.92rem}.feedback p{margin-block:6px}.feedback p:empty{display:none}.feedback [role=group]{display:grid;gap:8px;padding-block-end:10px;justify-items:start}.feedback textarea{width:100%}.chips{display:flex;flex-wrap:wrap;gap:8px}.chips [aria-pressed=true]{border-color:var(--_accent);box-shadow:inset 0 0 0 1px var(--_accent)}.related{display:flex;flex-wrap:wrap;gap:8px;margin-block-start:14px}.related button{font-size:.92rem;text-align:start}.welcome .related{justify-content:center;margin-block-start:20px}.popover{position:fixed;z-index:5;max-width:min(26rem,calc(100vw - 24px));max-height:45vh;overflow:auto;padding:10px 12px;border:1px solid var(--_line);border-radius:10px;background:var(--_paper);box-shadow:0 6px 24px #00000040;font-size:.92rem}.popover p{margin-block:6px 0}.passage{white-space:pre-wrap;overflow-wrap:anywhere}.support{color:var(--_soft);font-size:.9rem}mark{background:var(--_mark);color:inherit;border-radius:2px}.panel{position:relative;container-type:inline-size}aside.source{position:absolute;inset:0;z-index:4;display:flex;flex-direction:column;background:var(--_paper)}.source-head{display:flex;align-items:center;gap:8px;padding-block:8px;padding-inline:16px 8px;border-block-end:1px solid var(--_line)}.source-head h3{flex:1;margin:0;font-size:1rem;overflow-wrap:anywhere;outline-offset:4px}.source-body{flex:1;overflow-y:auto;overscroll-behavior:contain;padding:4px 16px 16px}.source-body .trail{color:var(--_soft);font-size:.9rem}.source-body .passage{margin:12px 0;padding:12px 14px;border-inline-start:3px solid var(--_accent);background:var(--_shade);border-radius:8px}.source-body a{display:inline-flex;align-items:center;min-height:44px}[type=search]{width:100%;margin-block:12px 0}.sessions{list-style:none;margin:8px 0;padding:0}.sessions li{display:flex;flex-wrap:wrap;align-items:center;gap:0 8px;padding-block:8px 2px;border-block-end:1px solid var(--_line)}.sessions :is(.title,input){flex:1 1 60%;min-width:0;text-align:start;overflow-wrap:anywhere}.sessions .title{border-color:transparent;background:none;padding-inline:8px}.sessions :is([aria-current],[data-pinned] .title){font-weight:600}.sessions .buttons{flex:1 1 100%}@container (min-width: 832px){aside.source{inset-inline-start:auto;width:24rem;border-inline-start:1px solid var(--_line)}.panel[data-source]>:is(header,.connection,.scroll,.below,form){margin-inline-end:24rem}}@media print{.tools,.related,aside.source,.asked .icon{display:none}}@media(forced-colors:active){mark{forced-color-adjust:none}[aria-pressed=true]{outline:2px solid Highlight}}');var wt="colloquy-ask";function yt(s){let e=new URL(location.href);return e.hash=`${wt}=${encodeURIComponent(s)}`,e.href}function Tt(){let s=new URLSearchParams(location.hash.slice(1)).get(wt);return s===null?"":(history.replaceState(history.state,"",location.pathname+location.search),s.slice(0,1e3).trim())}var St={text:"",before:"",citations:[],supports:[],references:[],steps:[],relatedQuestions:[],skippedReasons:[],groundingScore:void 0,error:void 0},Y={name:"",state:"QUEUED",position:void 0,resets:0,...St};function q(s){return s==="IN_PROGRESS"||s==="STREAMING"}function A(s){return s==="SUCCEEDED"||s==="FAILED"}function re(s,e){let t=e.response?.answer??{},n=e.reset?{...s,...St,before:s.text||s.before,resets:s.resets+1}:s,i={...n,name:t.name||n.name,state:t.state??n.state,position:e.position??n.position};return A(i.state)?{...i,...qn(t),error:e.error}:{...i,...Hn(n,t)}}function qn(s){return{before:"",text:s.answerText??"",citations:s.citations??[],supports:s.groundingSupports??[],references:s.references??[],steps:s.steps??[],relatedQuestions:s.relatedQuestions??[],skippedReasons:s.answerSkippedReasons??[],groundingScore:s.groundingScore}}function Hn(s,e){return{text:s.text+(e.answerText??""),citations:e.citations?[...s.citations,...e.citations]:s.citations,supports:e.groundingSupports??s.supports,references:e.references??s.references,steps:e.steps??s.steps,relatedQuestions:e.relatedQuestions??s.relatedQuestions}}function oe(s){return s?.details?.find(e=>e.reason)?.reason}function c(s,e={},...t){let n=document.createElement(s);for(let[i,r]of Object.entries(e))r!==void 0&&(/^(?:aria-|data-|role$|part$|dir$|lang$)/.test(i)?n.setAttribute(i,String(r)):n[i]=r);return n.append(...t),n}function L(s){try{let e=new URL(s);return["http:","https:","mailto:","tel:"].includes(e.protocol)?e.href:""}catch{return""}}function H(s,...e){return c("a",{href:s,target:"_blank",rel:"noopener noreferrer"},...e)}function B(){return Array.from(crypto.getRandomValues(new Uint8Array(12)),s=>s.toString(16).padStart(2,"0")).join("")}function Et(){return c("div",{className:"unseen",role:"status"})}function y(s,e){let t=s.getRootNode();!(t instanceof ShadowRoot)||!s.getClientRects().length||t.querySelector("[role=status]")?.replaceChildren(c("p",{textContent:e}))}function E(s){let e="http://www.w3.org/2000/svg",t=document.createElementNS(e,"svg");t.setAttribute("viewBox","0 0 24 24"),t.setAttribute("aria-hidden","true");let n=document.createElementNS(e,"path");return n.setAttribute("d",s),t.append(n),t}var Ke=class extends Error{},ae=class{constructor(e){this.send=e}send;open=new Map;add(e,t,n){let i=B(),r={type:"request",id:i,method:e,path:t,...n===void 0?{}:{body:n}};return new Promise((o,a)=>{let l={frame:r,isSent:!1,resolve:o,reject:a};this.open.set(i,l),l.isSent=this.send(r)})}sendAll(){for(let e of this.open.values())e.isSent=this.send(e.frame)||e.isSent}respond({id:e,status:t,body:n}){this.open.get(e)?.resolve({status:t,body:n}),this.open.delete(e)}refuse({id:e="",error:t}){return this.open.get(e)?.reject(new Error(t?.message)),this.open.delete(e)}lost(){this.fail(({frame:e,isSent:t})=>t&&e.method!=="GET")}failAll(){this.fail(()=>!0)}fail(e){for(let[t,n]of this.open)e(n)&&(this.open.delete(t),n.reject(new Ke))}};var le=class{constructor(e,t){this.ping=e;this.dead=t}ping;dead;ticker;timer;begin(e){this.end(),this.expect(e),this.ticker=setInterval(()=>this.check(),2e4)}check(){this.ping(),this.timer===void 0&&this.expect(5e3)}heard(){clearTimeout(this.timer),this.timer=void 0}end(){this.heard(),clearInterval(this.ticker)}expect(e){let t=Date.now()+e;this.timer=setTimeout(()=>{this.timer=void 0,Date.now()-t>1e3?this.check():this.dead()},e)}};function Ct(s){if(s===void 0)return"";try{let e=s.split(".")[1]??"",t=atob(e.replace(/-/g,"+").replace(/_/g,"/")),n=new TextDecoder().decode(Uint8Array.from(t,o=>o.charCodeAt(0))),{iss:i="",sub:r}=JSON.parse(n);return r&&`${i}/${r}`}catch{return}}var Bn="colloquy.v1",Rt=[300,700,1500,3e3,6e3,1e4],Fn=3e4,Wn=15e3,Un=3,jn=1009,Ye=4401,Nt=4408,At=1006,Gn=4400,Qn=[Ye,Nt,4409,4429],ce=class{constructor(e,t,n){this.url=e;this.listener=t;this.tokenProvider=n;let{signal:i}=this.ends;addEventListener("online",()=>this.networkChanged(),{signal:i}),addEventListener("offline",()=>this.networkChanged(),{signal:i}),addEventListener("pageshow",({persisted:r})=>r&&this.wake(),{signal:i}),document.addEventListener("resume",()=>this.wake(),{signal:i}),document.addEventListener("visibilitychange",()=>document.hidden||this.wake(),{signal:i}),this.connect()}url;listener;tokenProvider;calls=new ae(e=>this.send(e));liveness=new le(()=>this.send({type:"ping"}),()=>this.drop());work=new Map;socket;attempt=0;timer;renewal;client;isKnown=!1;failures=0;refusals=0;pause;isReady=!1;isClosed=!1;ends=new AbortController;ask(e){this.work.set(e.id,{frame:e}),this.send(e)&&this.liveness.check()}follow(e,t,n){let i={answer:t,position:n};this.work.set(e,i),this.send(Pt(e,i))}cancel(e){this.send({type:"cancel",answer:e})}request(e,t,n){return this.calls.add(e,t,n)}forgetAll(){this.work.clear()}retry(){this.refusals=0,this.isReady||this.connect()}close(){this.isClosed=!0,this.calls.failAll(),clearTimeout(this.timer),clearTimeout(this.renewal),this.liveness.end(),this.ends.abort(),this.socket?.close(1e3)}async connect(){clearTimeout(this.timer),this.timer=void 0,this.isReady=!1,this.listener.connectionChanged(navigator.onLine?"connecting":"offline"),this.liveness.begin(Fn);let e=++this.attempt,t;try{t=await this.tokenProvider()?.()}catch{e===this.attempt&&this.lost(At);return}if(e!==this.attempt||this.isClosed)return;this.listener.identified(Ct(t)),this.liveness.begin(Wn);let n=new WebSocket(this.url,Bn);this.socket=n,t!==void 0&&(n.onopen=()=>Lt(n,t)),n.onmessage=({data:i})=>{n===this.socket&&this.receive(JSON.parse(i))},n.onclose=({code:i})=>{n===this.socket&&this.lost(i)}}renewBefore(e){clearTimeout(this.renewal);let t=this.tokenProvider(),n=this.socket;if(!e||!t||!n)return;let i=async()=>{let r=await t();n.readyState===WebSocket.OPEN&&Lt(n,r)};this.renewal=setTimeout(()=>i().catch(()=>{}),e*(700+Math.random()*150))}networkChanged(){navigator.onLine?this.timer?this.connect():(this.listener.connectionChanged(this.isReady?"ready":"connecting"),this.liveness.check()):this.listener.connectionChanged("offline")}wake(){this.timer?this.connect():this.isReady&&this.liveness.check()}drop(){let{socket:e}=this;this.socket=void 0,e?.close(),this.lost(At)}lost(e){if(!this.isReady&&e===Ye&&(this.refusals+=1),this.isReady=!1,this.calls.lost(),this.liveness.end(),clearTimeout(this.renewal),this.isClosed)return;let t=this.tokenProvider()?this.refusals>=Un:[Ye,Nt].includes(e);if(e===jn||e>=Gn&&!Qn.includes(e)||t){this.calls.failAll(),this.listener.connectionChanged("refused",e);return}let i=this.pause??Rt[Math.min(this.failures,Rt.length-1)]??1e4;this.pause=void 0,this.failures+=1,this.listener.connectionChanged(navigator.onLine?"lost":"offline"),this.timer=setTimeout(()=>{this.connect()},i*(.7+Math.random()*.6))}receive(e){switch(this.liveness.heard(),e.type){case"ready":this.ready(e.client,e.expiresIn);break;case"accepted":this.work.has(e.id)&&this.work.set(e.id,{answer:e.answer}),this.listener.accepted(e);break;case"element":{let t=this.work.get(e.id);t&&"answer"in t&&(t.position=e.position),A(e.response?.answer?.state)&&this.work.delete(e.id),this.listener.element(e);break}case"response":this.calls.respond(e);break;case"error":if(this.calls.refuse(e))break;e.id&&this.work.delete(e.id),this.listener.refused(e);break;case"goaway":this.pause=Math.max(Number(e.retryAfter??0)*1e3,200);break}}ready(e,t){if(this.refusals=0,this.isKnown=t!==void 0,this.renewBefore(t),!this.isReady){this.isReady=!0,this.client??=e,this.failures=0,this.listener.connectionChanged("ready");for(let[n,i]of this.work)this.send("frame"in i?i.frame:Pt(n,i));this.calls.sendAll()}}send(e){if(!this.isReady)return!1;let t=e.type==="answer"?{...e,client:this.client}:e;return this.socket?.send(JSON.stringify(t)),!0}};function Lt(s,e){s.send(JSON.stringify({type:"auth",token:e}))}function Pt(s,e){return{type:"resume",id:s,answer:e.answer,...e.position?{after:e.position}:{}}}function _t(s){return{isHelpful:s,reasons:[],comment:"",state:"kept"}}function Ot(s,e,t,n){return{eventType:"add-feedback",...n?{}:{userPseudoId:s.split("/").pop()},feedback:{feedbackType:t.isHelpful?"LIKE":"DISLIKE",reasons:t.reasons,comment:t.comment,conversationInfo:{session:s,questionIndex:e}}}}var Je=5,Vn=60,Zn=/^projects\/[^/]+\/locations\/[^/]+\/collections\/[^/]+\/dataStores\/[^/]+\/branches\/[^/]+\/documents\/[^/]+$/;function It(s,e){let t=L(s);if(!/^https?:/.test(t))return"";let n=Kn(e);return n?`${t}${t.includes("#")?"":"#"}:~:text=${n}`:t}function Mt(s){return Zn.test(s)}async function $t(s,e,t,n){let i=open("","_blank");if(!i)return!1;i.opener=null;let r=s.split("/").map(encodeURIComponent).join("/");try{let{status:o,body:a}=await t.request("POST",`/v1/${r}:mintReadToken`,{});if(o!==200)throw new Error(String(o));let l=new URL(`/documents/${r}`,n.replace(/^ws/,"http"));return l.hash=new URLSearchParams({token:a.token,quote:e}).toString(),i.location.replace(l.href),!0}catch{return i.close(),!1}}function Kn(s){let e=s.split(`
`).map(n=>n.replace(/^\s*(?:[-*•]|\d+[.)])\s+/,"").trim()).sort((n,i)=>i.length-n.length)[0]??"",t=e.split(/\s+/).filter(Boolean);return e.length<=Vn||t.length<=2*Je?Xe(e):`${Xe(t.slice(0,Je).join(" "))},${Xe(t.slice(-Je).join(" "))}`}function Xe(s){return encodeURIComponent(s).replace(/-/g,"%2D")}var de=20;async function J(s,e,t,n=de){let i=`turnOffset=${-t-n}&turnLimit=${n}`,r=await s.request("GET",`/v1/${e}?includeAnswerDetails=true&${i}`).catch(()=>{});if(r?.status===403||r?.status===404)return"gone";if(r?.status!==200)return"away";let{turns:o=[]}=r.body;return{turns:o.filter(({answer:l})=>l).map(({query:l,answer:u="",detailedAnswer:d})=>{let f=d?.state??"FAILED",h={...Y,name:u,state:f},p=d&&A(f)?re(h,{response:{answer:d}}):h;return{query:l?.text??"",answer:p}}),count:o.length}}async function zt(s,e,t){for(let n=t.length?2:de;;n*=4){let i=await J(s,e,0,n);if(typeof i=="string"||i.count<n||!t.length||i.turns.some(({answer:r})=>t.includes(r.name)))return i}}async function Dt(s,e,t){let n=await s.request("GET",`/v1/${e}`).catch(()=>{}),{turns:i=[]}=n?.body??{};return i.findIndex(({answer:r})=>r===t)}var ue=class{constructor(e){this.key=e}key;of(e){return this.read().find(([t])=>t===qt(e))?.[1]}keep(e,t){let n=qt(e),i=this.read().filter(([r])=>r!==n);try{localStorage.setItem(this.key,JSON.stringify([...i,[n,t]].slice(-500)))}catch{}}read(){try{let e=JSON.parse(localStorage.getItem(this.key)??"[]");return Array.isArray(e)?e.filter(Yn):[]}catch{return[]}}};function Yn(s){return Array.isArray(s)&&typeof s[0]=="string"&&typeof s[1]=="boolean"}function qt(s){return s.split("/").pop()??""}var pe=class{constructor(e,t){this.turns=e;this.to=t}turns;to;opened;get isOpening(){return this.opened!==void 0}flush(){let{waiting:e}=this.turns;if(!this.to.canSend||this.opened||!e.length)return;if(this.to.sessionName){for(let i of e)this.to.send(i);return}let t=new Promise(i=>{this.opened=i}),n=i=>this.open(i,t);(this.to.shared?.alone(n)??n("")).finally(()=>{this.opened=void 0,this.flush()})}settle(){this.opened?.()}async open(e,t){e&&!this.to.sessionName&&await this.to.takeOver(e);let[n]=this.turns.waiting;this.to.sessionName||!n||(this.to.send(n),await t)}};function et({servingConfig:s}){return s.split("/servingConfigs/")[0]??""}function Ht(s,e,t,n,{filter:i,labels:r}){return{type:"answer",id:s,servingConfig:n.servingConfig,request:{query:{text:e},session:t||`${et(n)}/sessions/-`,answerGenerationSpec:{includeCitations:!0,ignoreAdversarialQuery:!0,ignoreJailBreakingQuery:!0},groundingSpec:{includeGroundingSupports:!0},relatedQuestionsSpec:{enable:!0},...i?{searchSpec:{searchParams:{filter:i}}}:{},...r?{userLabels:r}:{}}}}var tt=3e3,he=class{constructor(e,t,n){this.connection=e;this.turns=t;this.of=n}connection;turns;of;hasEarlier=!1;isReading=!1;known=0;isBehind=!1;accepted(e){e&&(this.known+=1),this.isBehind&&this.later()}withdrawn(){this.known-=1}async earlier(){let{sessionName:e}=this.of;this.isReading=!0;let t=await J(this.connection,e,this.known);if(this.isReading=!1,this.of.sessionName!==e||typeof t=="string")return t;this.known+=t.count,this.hasEarlier=t.count===de;let n=this.unknown(t);return this.turns.addBefore(n),this.follow(n),this.isBehind&&this.later(),t}async later(){let{sessionName:e}=this.of;if(this.isBehind=this.isReading,!e||this.isReading)return;let t=await zt(this.connection,e,this.turns.names);if(this.of.sessionName!==e)return;if(typeof t=="string"){t==="away"&&this.of.isReady&&setTimeout(()=>{this.later()},tt);return}if(this.isBehind=this.turns.isSending,this.isBehind)return;let n=this.unknown(t).map(i=>this.turns.add(i));this.known+=n.length,this.follow(n)}forget(){this.known=0,this.hasEarlier=this.isBehind=!1}unknown(e){return this.turns.unknown(e.turns).map(t=>{let n=this.of.ratingOf(t.answer.name);return n?{...t,rating:n}:t})}follow(e){for(let{id:t,answer:n}of e)q(n.state)&&this.connection.follow(t,n.name)}};var Jn=50,Xn=5,nt=50,fe=class{constructor(e,t){this.connection=e;this.store=t}connection;store;async read(e){let t=new URLSearchParams({pageSize:String(Jn),turnLimit:String(Xn),orderBy:"is_pinned desc,update_time desc",...e?{pageToken:e}:{}}),n=await this.call("GET",`${this.store}/sessions?${t}`);if(!n)return;let{sessions:i=[],nextPageToken:r=""}=n;return{sessions:i,next:r}}async change(e,t){return this.call("PATCH",`${e}?updateMask=${Object.keys(t).join()}`,t)}async remove(e){return await this.call("DELETE",e)!==void 0}async turns(e){let t=[];for(let n=0;;n+=nt){let i=await J(this.connection,e,n,nt);if(typeof i=="string")return;if(t.unshift(...i.turns),i.count<nt)return t}}async call(e,t,n){let i=await this.connection.request(e,`/v1/${t}`,n).catch(()=>{});return i?.status===200?i.body:void 0}};var it=/^projects(?:\/[^/?#.][^/?#]*)+\/sessions\/[\w-]+$/;var ge=class{constructor(e,t){this.key=e;this.channel=new BroadcastChannel(e),this.channel.onmessage=({data:n})=>{it.test(n?.session)&&t(n)}}key;channel;kept="";get name(){try{let e=localStorage.getItem(this.key)??"";return it.test(e)?e:""}catch{return""}}set name(e){this.kept=e;try{e?localStorage.setItem(this.key,e):localStorage.removeItem(this.key)}catch{}}tell(e){this.channel.postMessage(e)}async alone(e){let{locks:t}=navigator;if(!t)return e(this.name);let n=!1,i=async()=>{n=!0,await e(this.name||await this.justOpened()),await this.tellOpened()};try{await t.request(this.key,{signal:AbortSignal.timeout(1e4)},i)}catch{n||await e(this.name)}}async justOpened(){let{held:e=[]}=await navigator.locks.query();return e.map(({name:n=""})=>n.split(`${this.key}#`)[1]??"").find(n=>it.test(n))??""}tellOpened(){let e=`${this.key}#${this.kept}`;return new Promise(t=>{let n=()=>(t(),new Promise(i=>setTimeout(i,1e4)));navigator.locks.request(e,{mode:"shared"},n)})}close(){this.channel.close()}};var me=class{listener;all=new Map;get size(){return this.all.size}get(e){return this.all.get(e)}values(){return this.all.values()}get waiting(){return this.where(({state:e})=>e==="QUEUED")}get running(){return this.where(({state:e,name:t})=>q(e)&&t!=="")}get names(){return this.where(({name:e})=>e!=="").map(({answer:e})=>e.name)}get isSending(){return this.where(({state:e})=>e==="SENT").length>0}add(e){return this.all.set(e.id,e),this.listener?.turnAdded(e),e}addBefore(e){this.all=new Map([...e.map(t=>[t.id,t]),...this.all]),this.listener?.earlierAdded(e)}change(e,t){e.answer=t,this.listener?.turnChanged(e)}remove(e){this.all.delete(e.id),this.listener?.turnRemoved(e)}clear(){this.all.clear(),this.listener?.emptied()}unknown(e){let t=new Set(this.names);return e.filter(({answer:n})=>!t.has(n.name)).map(n=>({id:B(),...n}))}where(e){return[...this.all.values()].filter(({answer:t})=>e(t))}};async function Bt(s,e,t){let i=`widgetConfigs/default_search_widget_config?languageCode=${encodeURIComponent(t)}`,r=await s.request("GET",`/v1/${e}/${i}`).catch(()=>{});if(r?.status!==200)return;let{displayName:o,...a}=r.body;return o&&!a.name?.includes(`/${o}/`)?{...a,displayName:o}:a}var xe=class{constructor(e,t){this.place=e;this.tokenProvider=t;this.connection=new ce(e.socket,{identified:n=>this.identified(n),connectionChanged:(n,i)=>this.connectionChanged(n,i),accepted:n=>this.accepted(n),element:n=>this.element(n),refused:n=>this.refused(n)},t),this.recall=new he(this.connection,this.turns,this)}place;tokenProvider;turns=new me;context={};config={};connectionState="connecting";closeCode;listener;sessionName="";shared;ratings;language;subject;mayJoin=!0;outbox=new pe(this.turns,this);connection;recall;speak(e){e!==this.language&&(this.language=e,Bt(this.connection,this.store,e).then((t={})=>{e===this.language&&(this.config=t,this.listener?.configured())}))}listen(e){this.listener=this.turns.listener=e}openDocument(e,t){return $t(e,t,this.connection,this.place.socket)}get isAnswering(){return this.turns.running.length>0}get hasEarlier(){return this.recall.hasEarlier}waitsFor(e){return e.answer.state==="QUEUED"&&this.connectionState!=="ready"?"connection":this.turns.running.indexOf(e)>0?"answer":"nothing"}ask(e){let t=this.turns.add({id:B(),query:e,answer:Y});return this.outbox.flush(),t}takeBack(e){e.answer.name&&this.connection.cancel(e.answer.name),e.answer.state==="QUEUED"&&this.turns.remove(e)}stop(){for(let{answer:e}of this.turns.running.slice(0,1))this.connection.cancel(e.name)}retry(){this.connection.retry()}async rate(e,t){let{name:n}=e.answer,i=this.hasEarlier?await Dt(this.connection,this.sessionName,n):this.turns.names.indexOf(n),r=Ot(this.sessionName,i,t,this.connection.isKnown);return(await this.connection.request("POST",`/v1/${this.store}/userEvents:write`,r).catch(()=>{}))?.status!==200?!1:(this.ratings?.keep(n,t.isHelpful),!0)}startNew(){this.mayJoin=!1,this.forget(),this.shared&&(this.shared.name="")}get sessions(){return this.tokenProvider()&&new fe(this.connection,this.store)}openSession(e){e!==this.sessionName&&(this.startNew(),this.shared&&(this.shared.name=e),this.join(e))}async readEarlier(){this.hasEarlier&&!this.recall.isReading&&await this.recall.earlier()}close(){this.connection.close(),this.shared?.close()}get store(){return et(this.place)}connectionChanged(e,t){this.connectionState=e,this.closeCode=t,this.listener?.connectionChanged(),e==="ready"&&(this.outbox.flush(),this.turns.size&&this.recall.later())}get isReady(){return this.connectionState==="ready"}get canSend(){return this.isReady&&!this.recall.isReading}send(e){this.turns.change(e,{...e.answer,state:"SENT"});let{place:t,sessionName:n,context:i}=this;this.connection.ask(Ht(e.id,e.query,n,t,i))}accepted({id:e,answer:t,session:n}){let i=this.turns.get(e);if(!i)return;n&&(this.sessionName=n),n&&this.shared&&(this.shared.name=n),this.outbox.settle();let r=!i.answer.name,o=i.answer.state==="SENT"?"IN_PROGRESS":i.answer.state;this.turns.change(i,{...i.answer,state:o,name:t}),r&&n&&this.shared?.tell({session:n,answer:t}),this.recall.accepted(r)}element(e){let t=this.turns.get(e.id);if(!t)return;let n=re(t.answer,e);oe(n.error)==="CANCELLED"&&!n.steps.length&&this.recall.withdrawn(),this.turns.change(t,n)}refused({id:e,error:t}){let n=e?this.turns.get(e):void 0;n&&t?.status==="NOT_FOUND"&&this.sessionName&&!n.answer.name?(this.sessionName="",this.mayJoin=!1,this.turns.change(n,Y),this.outbox.flush()):n&&this.turns.change(n,{...n.answer,state:"FAILED",error:t}),this.outbox.settle()}identified(e){if(this.shared&&e===this.subject||(this.subject!==void 0&&this.forget(),this.subject=e,this.shared=this.shared?.close(),this.ratings=void 0,e===void 0))return;let t=`colloquy:${this.place.socket}:${this.store}:${e}`;this.ratings=new ue(`${t}:ratings`),this.shared=new ge(t,n=>this.heard(n)),this.shared.name&&this.join(this.shared.name)}forget(){this.sessionName="",this.connection.forgetAll(),this.recall.forget(),this.turns.clear(),this.outbox.settle()}async takeOver(e){this.mayJoin&&await this.join(e)}async join(e){this.sessionName=e;let t=await this.recall.earlier();this.sessionName===e&&(t==="away"?setTimeout(()=>this.sessionName===e&&void this.join(e),tt):t==="gone"&&(this.sessionName="",this.shared?.name===e&&(this.shared.name="")),this.outbox.flush())}heard({session:e}){!this.sessionName&&this.mayJoin&&!this.outbox.isOpening?this.join(e):e===this.sessionName&&this.recall.later()}ratingOf(e){let t=this.ratings?.of(e);return t===void 0?void 0:_t(t)}};var st=new CSSStyleSheet;st.replaceSync(':host{--_ink: var(--colloquy-ink, #17202b);--_soft: var(--colloquy-soft, #566272);--_paper: var(--colloquy-paper, #ffffff);--_shade: var(--colloquy-shade, #f2f5f8);--_line: var(--colloquy-line, #c3cdd8);--_accent: var(--colloquy-accent, #0b5fad);--_accent-ink: var(--colloquy-accent-ink, #ffffff);--_bad: var(--colloquy-bad, #a3261b);--_mark: var(--colloquy-mark, #fff3b0);--_radius: var(--colloquy-radius, 14px);--_font: var(--colloquy-font, 16px/1.5 system-ui, sans-serif);display:flex;flex-direction:column;min-height:0;height:100%;font:var(--_font);color:var(--_ink);background:var(--_paper);color-scheme:light dark}:host([form="page"]){height:100dvh}:host(:not([form])),:host([form="inline"]){min-height:20rem}:host([form="launcher"]){display:contents}.launcher{position:fixed;z-index:2147483000;inset-block-end:max(20px,env(safe-area-inset-bottom));--_side: max(20px, env(safe-area-inset-left), env(safe-area-inset-right));inset-inline-end:var(--_side);font:var(--_font);color:var(--_ink)}:host([position="start"]) .launcher{inset-inline:var(--_side) auto}.bubble{position:relative;display:grid;place-items:center;width:60px;height:60px;padding:0;border-radius:50%;border-color:transparent;background:var(--_accent);margin-inline-start:auto;box-shadow:0 4px 16px #0000004d}:host([position="start"]) .bubble{margin-inline:0 auto}.bubble svg{width:28px;height:28px;fill:var(--_accent-ink)}.bubble[aria-expanded=true] svg:first-child,.bubble[aria-expanded=false] svg+svg{display:none}.unread{position:absolute;inset-block-start:0;inset-inline-end:0;width:16px;height:16px;border-radius:50%;background:var(--_bad);border:2px solid var(--_paper)}.dialog{display:flex;width:min(26rem,calc(100vw - 40px));height:min(42rem,calc(100dvh - 120px));margin-block-end:12px;overflow:hidden;border:1px solid var(--_line);border-radius:var(--_radius);background:var(--_paper);box-shadow:0 8px 40px #0000004d}@media(max-width:30rem){.dialog{position:fixed;inset:var(--_top, 0) 0 0;width:auto;height:var(--_visible, auto);margin:0;border:0;border-radius:0;padding:env(safe-area-inset-top) env(safe-area-inset-right) 0 env(safe-area-inset-left)}.dialog header{padding-inline-end:60px}.dialog:not([hidden])+.bubble{position:fixed;width:44px;height:44px;box-shadow:none;inset-block-start:calc(8px + env(safe-area-inset-top) + var(--_top, 0px));inset-inline-end:calc(8px + max(env(safe-area-inset-left),env(safe-area-inset-right)))}}:host([form="page"]) .panel{max-height:var(--_visible, none);translate:0 var(--_top, 0);padding:env(safe-area-inset-top) env(safe-area-inset-right) 0 env(safe-area-inset-left)}.unseen{position:fixed;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}:host([hidden]){display:none}@media(prefers-color-scheme:dark){:host{--_ink: var(--colloquy-ink, #e8edf3);--_soft: var(--colloquy-soft, #a9b5c3);--_paper: var(--colloquy-paper, #11161c);--_shade: var(--colloquy-shade, #1b232c);--_line: var(--colloquy-line, #465463);--_accent: var(--colloquy-accent, #7ab8f5);--_accent-ink: var(--colloquy-accent-ink, #0b1620);--_bad: var(--colloquy-bad, #ff9d93);--_mark: var(--colloquy-mark, #5a4b00)}}*{box-sizing:border-box}[hidden]{display:none!important}button,textarea,input{font:inherit;color:inherit}input{min-height:44px;padding:8px 12px;border:1px solid var(--_line);border-radius:10px;background:var(--_paper)}button{cursor:pointer;border:1px solid var(--_line);border-radius:10px;background:var(--_paper);padding:8px 14px;min-height:44px;min-width:44px}button:disabled{opacity:.55;cursor:default}:is(button,textarea,input,a,summary,pre,.table):focus-visible{outline:3px solid var(--_accent);outline-offset:1px}a{color:var(--_accent)}.panel{display:flex;flex-direction:column;flex:1;min-height:0;min-width:0}header{display:flex;gap:8px;align-items:center;padding:8px 16px;border-block-end:1px solid var(--_line)}header :is(h1,h2){font-size:1.1rem;margin:0;flex:1}.connection{padding:4px 16px;font-size:.9rem;color:var(--_soft)}.connection:not([hidden]){display:flex;flex-wrap:wrap;align-items:center;gap:4px 12px}.connection button{color:var(--_ink)}.connection[data-state=lost],.connection[data-state=offline],.connection[data-state=refused]{color:var(--_bad)}.scroll{flex:1;overflow-y:auto;overscroll-behavior:contain;padding:16px}.turns>li{content-visibility:auto;contain-intrinsic-size:auto 240px}.earlier{display:block;margin:0 auto}.below{position:relative;align-self:center;height:44px;margin-block:-52px 8px;z-index:3;box-shadow:0 2px 10px #00000040}.text.before{color:var(--_soft)}.turns{list-style:none;margin:0 auto;padding:0;max-width:46rem}.query{font:inherit;margin-block:20px 8px;margin-inline:auto 0;width:fit-content;max-width:85%;padding:8px 14px;border-radius:var(--_radius);background:var(--_accent);color:var(--_accent-ink);white-space:pre-wrap;overflow-wrap:anywhere}article{padding:12px 14px;border-radius:var(--_radius);background:var(--_shade)}.state{font-size:.9rem;color:var(--_soft)}form{display:flex;gap:8px;align-items:flex-end;padding:12px 16px max(12px,env(safe-area-inset-bottom));border-block-start:1px solid var(--_line)}textarea{flex:1;min-width:0;resize:none;min-height:44px;max-height:30vh;padding:9px 12px;border:1px solid var(--_line);border-radius:10px;background:var(--_paper)}form [type=submit]{background:var(--_accent);color:var(--_accent-ink);border-color:transparent}.welcome{color:var(--_soft);max-width:46rem;margin:10vh auto 0;text-align:center}@media print{.launcher,form,header button,.earlier,.below{display:none}:host,:host([form]),.panel{display:block;height:auto}.scroll{overflow:visible}.turns>li{content-visibility:visible}}@media(forced-colors:active){button,article,.query{border:1px solid CanvasText}.bubble svg{fill:ButtonText}.unread{background:Highlight;forced-color-adjust:none}}');var X={title:"Ask the help pages",placeholder:"Ask a question",question:"Your question",ask:"Ask",stop:"Stop",newSession:"New conversation",welcome:"Ask a question. The answer comes with its sources.",answers:"Conversation",answer:"Answer",queued:"Will be sent as soon as there is a connection",place:"the help pages",searching:"Searching {place}…",reading:"Reading {count} pages…",writing:"Writing the answer…",rewriting:"Writing the answer anew…",answered:"Here is what I found",noAnswer:"I found no answer to that in {place}",refusedSmallTalk:"Ask me something about {place}, and I will look it up",refusedHarmful:"I cannot help with that",refusedJailbreak:"I can only answer questions about {place}",refusedPolicy:"That is something that I may not answer here",nearest:"These pages come nearest",contact:"You can also ask a person.",contactLink:"Contact us",stopped:"Stopped",failed:"Something went wrong, and there is no answer",failedBusy:"Too much is asked at the moment. Wait a little, and ask again.",sources:"Sources",source:"Source {number}: {title}",untitled:"A page without a title",page:"page {page}",closeSource:"Close the source",openPage:"Open the page",notOpened:"The page could not be opened. Try again.",supportVerbatim:"The source says this word for word.",supportStrong:"The source supports this.",supportPartial:"The source supports this in part.",supportWeak:"The source is about this, but may not say it: please check.",related:"Related questions",starters:"Questions to begin with",copy:"Copy",copied:"Copied",notCopied:"Not copied",copyAnswer:"Copy the answer",copyLink:"Copy a link to this question",askAgain:"Ask again",editQuestion:"Edit the question",helpful:"This helped",notHelpful:"This did not help",whatIsWrong:"What was wrong with it?",reasonInaccurate:"It is not correct",reasonNotRelevant:"It is not what I asked",reasonIncomplete:"Something is missing",reasonBadSource:"The source does not fit",reasonHarmful:"It is harmful or offensive",reasonFormat:"It is hard to read",comment:"Tell us more, if you like",sendFeedback:"Send",thanks:"Thank you for telling us.",notSent:"That could not be sent. Try again.",close:"Close",open:"Open the chat",openUnread:"Open the chat: there is a new answer",connecting:"Connecting…",ready:"",lost:"The connection was lost; coming back…",offline:"You are offline; questions are sent as soon as you are back",refused:"The service does not let this page in (code {code})",sending:"Sending…",waiting:"Waits for the answer above",takeBack:"Take back",refusedSignIn:"Your sign-in has ended. Sign in again, then try again.",refusedOrigin:"This website ({origin}) may not use the chat. Please tell whoever runs it.",tryAgain:"Try again",newBelow:"New text below",dictate:"Dictate",notHeard:"Nothing was heard. Try again, or type.",earlier:"Show earlier questions",sessions:"Conversations",noSessions:"There are no conversations",searchSessions:"Search conversations",more:"Show more",rename:"Rename",pin:"Pin",unpin:"Unpin",export:"Export",delete:"Delete",deleteReally:"Delete for good"};function S(s){let e=s.split(`
`),t=Object.keys(X).map((n,i)=>[n,e[i]]);return Object.fromEntries(t.filter(([,n])=>n))}var Ft=S(`اسأل صفحات المساعدة
اطرح سؤالاً
سؤالك
اسأل
إيقاف
محادثة جديدة
اطرح سؤالاً، وتأتي الإجابة مع مصادرها.
المحادثة
الإجابة
سيُرسل فور توفر الاتصال
صفحات المساعدة
جارٍ البحث في {place}…
الصفحات المقروءة: {count}…
جارٍ كتابة الإجابة…
جارٍ كتابة الإجابة من جديد…
هذا ما وجدته
لم أجد إجابة عن ذلك في {place}
اسألني عن {place} وسأبحث لك
لا أستطيع المساعدة في ذلك
أجيب فقط عن الأسئلة حول {place}
لا يُسمح لي بالإجابة عن ذلك هنا
هذه أقرب الصفحات
يمكنك أيضاً أن تسأل شخصاً.
اتصل بنا
توقفت
حدث خطأ ولا توجد إجابة
الطلبات كثيرة في هذه اللحظة. انتظر قليلاً ثم اسأل مرة أخرى.
المصادر
المصدر {number}: {title}
صفحة بلا عنوان
صفحة {page}
إغلاق المصدر
فتح الصفحة
تعذر فتح الصفحة. حاول مرة أخرى.
يقول المصدر ذلك حرفياً.
يؤيد المصدر ذلك.
يؤيد المصدر ذلك جزئياً.
يتناول المصدر هذا الموضوع وقد لا يقول ذلك: يرجى التحقق.
أسئلة ذات صلة
أسئلة للبدء
نسخ
تم النسخ
لم يُنسخ
نسخ الإجابة
نسخ رابط هذا السؤال
اسأل مرة أخرى
تعديل السؤال
ساعدني هذا
لم يساعدني هذا
ما الخطأ فيها؟
ليست صحيحة
ليس هذا ما سألت عنه
ينقصها شيء
المصدر غير مناسب
ضارة أو مسيئة
صعبة القراءة
أخبرنا بالمزيد إن شئت
إرسال
شكراً لإخبارنا.
تعذر الإرسال. حاول مرة أخرى.
إغلاق
فتح المحادثة
فتح المحادثة: توجد إجابة جديدة
جارٍ الاتصال…

انقطع الاتصال؛ جارٍ استعادته…
أنت غير متصل؛ تُرسل الأسئلة عند عودتك
لا تسمح الخدمة لهذه الصفحة (الرمز {code})
جارٍ الإرسال…
بانتظار الإجابة السابقة
سحب السؤال
انتهت صلاحية تسجيل دخولك. سجّل الدخول من جديد ثم أعد المحاولة.
لا يُسمح لهذا الموقع ({origin}) باستخدام المحادثة. يُرجى إبلاغ القائمين عليه.
إعادة المحاولة
نص جديد في الأسفل
قل سؤالك
لم يُسمع شيء. حاول مرة أخرى أو اكتب.
عرض الأسئلة السابقة
المحادثات
لا توجد محادثات
البحث في المحادثات
عرض المزيد
إعادة التسمية
تثبيت
إلغاء التثبيت
تصدير
حذف
حذف نهائي`);var Wt=S(`Fragen Sie die Hilfeseiten
Frage eingeben
Ihre Frage
Fragen
Anhalten
Neues Gespräch
Stellen Sie eine Frage. Die Antwort kommt mit ihren Quellen.
Gespräch
Antwort
Wird gesendet, sobald eine Verbindung besteht
die Hilfeseiten
Suche läuft: {place} …
Gelesene Seiten: {count} …
Die Antwort wird geschrieben …
Die Antwort wird neu geschrieben …
Das habe ich gefunden
Dazu habe ich keine Antwort gefunden (durchsucht: {place})
Fragen Sie etwas zu diesem Thema: {place}
Dabei kann ich nicht helfen
Ich beantworte nur Fragen zu diesem Thema: {place}
Das darf ich hier nicht beantworten
Diese Seiten kommen dem am nächsten
Sie können auch einen Menschen fragen.
Kontakt
Angehalten
Es ist ein Fehler aufgetreten, deshalb gibt es keine Antwort
Im Moment gibt es zu viele Anfragen. Warten Sie kurz und fragen Sie noch einmal.
Quellen
Quelle {number}: {title}
Seite ohne Titel
Seite {page}
Quelle schließen
Seite öffnen
Die Seite ließ sich nicht öffnen. Versuchen Sie es noch einmal.
Die Quelle sagt das wörtlich.
Die Quelle belegt das.
Die Quelle belegt das zum Teil.
Die Quelle handelt davon, sagt es aber vielleicht nicht: bitte prüfen.
Verwandte Fragen
Fragen für den Anfang
Kopieren
Kopiert
Nicht kopiert
Antwort kopieren
Link zu dieser Frage kopieren
Noch einmal fragen
Frage bearbeiten
Das hat geholfen
Das hat nicht geholfen
Was war daran falsch?
Es stimmt nicht
Danach habe ich nicht gefragt
Es fehlt etwas
Die Quelle passt nicht
Es ist schädlich oder beleidigend
Es ist schwer zu lesen
Sagen Sie uns mehr, wenn Sie mögen
Senden
Danke für die Rückmeldung.
Das ließ sich nicht senden. Versuchen Sie es noch einmal.
Schließen
Chat öffnen
Chat öffnen: es gibt eine neue Antwort
Verbinden …

Die Verbindung ist abgebrochen; sie wird wiederhergestellt …
Sie sind offline; Fragen werden gesendet, sobald Sie wieder verbunden sind
Der Dienst lässt diese Seite nicht zu (Code {code})
Wird gesendet …
Wartet auf die Antwort darüber
Zurücknehmen
Ihre Anmeldung ist abgelaufen. Melden Sie sich neu an und versuchen Sie es noch einmal.
Diese Website ({origin}) darf den Chat nicht nutzen. Bitte sagen Sie es dem Betreiber.
Noch einmal versuchen
Neuer Text weiter unten
Diktieren
Nichts gehört. Versuchen Sie es noch einmal, oder tippen Sie.
Frühere Fragen zeigen
Gespräche
Keine Gespräche
Gespräche durchsuchen
Mehr zeigen
Umbenennen
Anheften
Lösen
Exportieren
Löschen
Endgültig löschen`);var Ut=S(`Preguntar a las páginas de ayuda
Haga una pregunta
Su pregunta
Preguntar
Detener
Nueva conversación
Haga una pregunta. La respuesta llega con sus fuentes.
Conversación
Respuesta
Se enviará en cuanto haya conexión
las páginas de ayuda
Buscando en {place}…
Leyendo páginas: {count}…
Escribiendo la respuesta…
Escribiendo la respuesta de nuevo…
Esto es lo que encontré
No encontré respuesta en {place}
Pregunte algo sobre {place} y lo buscaré
No puedo ayudarle con eso
Solo puedo responder preguntas sobre {place}
Eso no puedo responderlo aquí
Estas páginas son las más cercanas
También puede preguntar a una persona.
Contacto
Detenida
Algo salió mal y no hay respuesta
Hay demasiadas consultas en este momento. Espere un poco y vuelva a preguntar.
Fuentes
Fuente {number}: {title}
Página sin título
página {page}
Cerrar la fuente
Abrir la página
No se pudo abrir la página. Inténtelo de nuevo.
La fuente lo dice palabra por palabra.
La fuente lo respalda.
La fuente lo respalda en parte.
La fuente trata de esto, pero quizá no lo diga: compruébelo.
Preguntas relacionadas
Preguntas para empezar
Copiar
Copiado
No copiado
Copiar la respuesta
Copiar un enlace a esta pregunta
Preguntar de nuevo
Editar la pregunta
Me ayudó
No me ayudó
¿Qué estaba mal?
No es correcto
No es lo que pregunté
Falta algo
La fuente no corresponde
Es dañino u ofensivo
Es difícil de leer
Cuéntenos más, si quiere
Enviar
Gracias por decírnoslo.
No se pudo enviar. Inténtelo de nuevo.
Cerrar
Abrir el chat
Abrir el chat: hay una respuesta nueva
Conectando…

Se perdió la conexión; reconectando…
Está sin conexión; las preguntas se enviarán cuando vuelva
El servicio no admite esta página (código {code})
Enviando…
En espera de la respuesta anterior
Retirar
Su sesión ha caducado. Vuelva a iniciar sesión e inténtelo de nuevo.
Este sitio web ({origin}) no puede usar el chat. Avise a quien lo gestiona.
Intentar de nuevo
Hay texto nuevo abajo
Dictar la pregunta
No se ha oído nada. Inténtelo de nuevo o escriba.
Mostrar preguntas anteriores
Conversaciones
No hay conversaciones
Buscar conversaciones
Mostrar más
Cambiar el nombre
Fijar
Desfijar
Exportar
Eliminar
Eliminar definitivamente`);var jt=S(`Interroger les pages d’aide
Posez une question
Votre question
Demander
Arrêter
Nouvelle conversation
Posez une question. La réponse arrive avec ses sources.
Conversation
Réponse
Sera envoyée dès qu’il y aura une connexion
les pages d’aide
Recherche dans {place}…
Pages lues : {count}…
Rédaction de la réponse…
La réponse est réécrite…
Voici ce que j’ai trouvé
Je n’ai pas trouvé de réponse dans {place}
Demandez-moi quelque chose sur {place} et je chercherai
Je ne peux pas vous aider sur ce point
Je ne réponds qu’aux questions sur {place}
Je ne peux pas répondre à cela ici
Ces pages s’en approchent le plus
Vous pouvez aussi demander à une personne.
Nous contacter
Arrêtée
Une erreur est survenue, il n’y a pas de réponse
Il y a trop de demandes en ce moment. Patientez un peu, puis reposez votre question.
Sources
Source {number} : {title}
Page sans titre
page {page}
Fermer la source
Ouvrir la page
La page n’a pas pu être ouverte. Réessayez.
La source le dit mot pour mot.
La source le confirme.
La source le confirme en partie.
La source en parle, mais ne le dit peut-être pas : à vérifier.
Questions proches
Questions pour commencer
Copier
Copié
Non copié
Copier la réponse
Copier un lien vers cette question
Poser à nouveau la question
Modifier la question
Cela m’a aidé
Cela ne m’a pas aidé
Qu’est-ce qui n’allait pas ?
Ce n’est pas exact
Ce n’est pas ma question
Il manque quelque chose
La source ne convient pas
C’est nuisible ou offensant
C’est difficile à lire
Dites-nous-en plus, si vous voulez
Envoyer
Merci de nous l’avoir dit.
Cela n’a pas pu être envoyé. Réessayez.
Fermer
Ouvrir le chat
Ouvrir le chat : il y a une nouvelle réponse
Connexion…

La connexion est perdue ; reconnexion…
Vous êtes hors ligne ; les questions partiront à votre retour
Le service n’admet pas cette page (code {code})
Envoi…
Attend la réponse ci-dessus
Retirer
Votre session a expiré. Reconnectez-vous, puis réessayez.
Ce site ({origin}) ne peut pas utiliser le chat. Merci d’en avertir son responsable.
Réessayer
Nouveau texte plus bas
Dicter la question
Rien entendu. Réessayez ou écrivez.
Afficher les questions précédentes
Conversations
Aucune conversation
Rechercher une conversation
Afficher plus
Renommer
Épingler
Désépingler
Exporter
Supprimer
Supprimer définitivement`);var Gt=S(`ヘルプページに質問
質問を入力
質問
質問する
停止
新しい会話
質問してください。回答には出典が付きます。
会話
回答
接続され次第送信します
ヘルプページ
{place}を検索中…
{count} ページを確認中…
回答を作成中…
回答を作り直しています…
次のことがわかりました
{place}に答えは見つかりませんでした
{place}について質問してください。お調べします
それについてはお手伝いできません
{place}に関する質問にのみお答えできます
ここではお答えできません
近い内容のページ
担当者に問い合わせることもできます。
お問い合わせ
停止しました
問題が発生し、回答できませんでした
現在、質問が集中しています。しばらくしてから、もう一度お試しください。
出典
出典 {number}：{title}
無題のページ
{page} ページ
出典を閉じる
ページを開く
ページを開けませんでした。もう一度お試しください。
出典にそのまま書かれています。
出典が裏付けています。
出典が一部裏付けています。
関連する出典ですが、そう書かれていない可能性があります。ご確認ください。
関連する質問
最初の質問の例
コピー
コピーしました
コピーできませんでした
回答をコピー
この質問へのリンクをコピー
もう一度質問
質問を編集
役に立った
役に立たなかった
何が問題でしたか？
正しくない
質問と違う
足りない内容がある
出典が合っていない
有害または不快
読みにくい
よろしければ詳しくお聞かせください
送信
ご協力ありがとうございます。
送信できませんでした。もう一度お試しください。
閉じる
チャットを開く
チャットを開く：新しい回答があります
接続中…

接続が切れました。再接続しています…
オフラインです。復帰後に質問を送信します
このページからはサービスを利用できません（コード {code}）
送信中…
上の回答を待っています
取り消す
サインインの有効期限が切れました。もう一度サインインしてから、やり直してください。
このサイト（{origin}）ではチャットを利用できません。サイトの運営者にお知らせください。
もう一度試す
下に新しい内容があります
質問を話す
聞き取れませんでした。もう一度試すか、入力してください。
以前の質問を表示
会話
会話はありません
会話を検索
さらに表示
名前を変更
ピン留め
ピン留めを外す
エクスポート
削除
完全に削除`);var Qt=S(`Perguntar às páginas de ajuda
Faça uma pergunta
A sua pergunta
Perguntar
Parar
Nova conversa
Faça uma pergunta. A resposta vem com as suas fontes.
Conversa
Resposta
Será enviada assim que houver ligação
as páginas de ajuda
A pesquisar: {place}…
Páginas lidas: {count}…
A escrever a resposta…
A escrever a resposta de novo…
Eis o que encontrei
Não encontrei resposta para isso (pesquisei: {place})
Pergunte algo sobre este tema: {place}
Não posso ajudar com isso
Só respondo a perguntas sobre este tema: {place}
Não posso responder a isso aqui
Estas páginas são as mais próximas
Também pode perguntar a uma pessoa.
Contacto
Parada
Algo correu mal e não há resposta
Há demasiados pedidos neste momento. Aguarde um pouco e pergunte de novo.
Fontes
Fonte {number}: {title}
Página sem título
página {page}
Fechar a fonte
Abrir a página
Não foi possível abrir a página. Tente de novo.
A fonte diz isto palavra por palavra.
A fonte confirma isto.
A fonte confirma isto em parte.
A fonte trata disto, mas talvez não o diga: verifique.
Perguntas relacionadas
Perguntas para começar
Copiar
Copiado
Não copiado
Copiar a resposta
Copiar uma ligação para esta pergunta
Perguntar de novo
Editar a pergunta
Ajudou
Não ajudou
O que estava errado?
Não está correto
Não foi o que perguntei
Falta alguma coisa
A fonte não corresponde
É nocivo ou ofensivo
É difícil de ler
Conte-nos mais, se quiser
Enviar
Agradecemos a sua opinião.
Não foi possível enviar. Tente de novo.
Fechar
Abrir o chat
Abrir o chat: há uma resposta nova
A ligar…

A ligação foi perdida; a restabelecer…
Está sem ligação; as perguntas serão enviadas quando voltar
O serviço não admite esta página (código {code})
A enviar…
À espera da resposta acima
Retirar
A sua sessão expirou. Inicie sessão de novo e tente outra vez.
Este site ({origin}) não pode usar o chat. Avise quem o gere.
Tentar de novo
Há texto novo em baixo
Ditar a pergunta
Nada foi ouvido. Tente de novo ou escreva.
Mostrar perguntas anteriores
Conversas
Não há conversas
Procurar conversas
Mostrar mais
Mudar o nome
Fixar
Desafixar
Exportar
Eliminar
Eliminar definitivamente`);var Vt=S(`向帮助页面提问
请输入问题
您的问题
提问
停止
新对话
请提出问题，回答会附上来源。
对话
回答
连接后将立即发送
帮助页面
正在搜索{place}…
正在阅读 {count} 个页面…
正在撰写回答…
正在重新撰写回答…
这是我找到的内容
在{place}中没有找到答案
请问我有关{place}的问题，我会查找
这个我帮不了
我只能回答有关{place}的问题
这个问题我在这里不能回答
最接近的页面
您也可以咨询人工客服。
联系我们
已停止
出了问题，没有得到回答
目前请求过多，请稍候再试。
来源
来源 {number}：{title}
无标题页面
第 {page} 页
关闭来源
打开页面
无法打开页面，请重试。
来源中有原话。
来源支持这一点。
来源部分支持这一点。
来源与此有关，但未必这样说，请核实。
相关问题
可以从这些问题开始
复制
已复制
未复制
复制回答
复制此问题的链接
再问一次
编辑问题
有帮助
没有帮助
哪里有问题？
内容不正确
不是我问的
缺少内容
来源不符
有害或冒犯
难以阅读
愿意的话，请多说一些
发送
感谢您的反馈。
未能发送，请重试。
关闭
打开聊天
打开聊天：有新回答
正在连接…

连接已断开，正在恢复…
您已离线，恢复后将发送问题
服务不允许此页面接入（代码 {code}）
正在发送…
等待上一个回答完成
撤回
您的登录已过期。请重新登录后再试。
此网站（{origin}）不能使用聊天。请告知网站管理者。
重试
下方有新内容
语音提问
没有听到声音。请重试或输入文字。
显示更早的问题
对话
没有对话
搜索对话
显示更多
重命名
置顶
取消置顶
导出
删除
永久删除`);var Zt={ar:Ft,de:Wt,en:X,es:Ut,fr:jt,ja:Gt,pt:Qt,zh:Vt},ei=["ar"];function Kt(s){let t=s.map(i=>i.toLowerCase().split(/[-_]/)[0]??"").find(i=>Object.hasOwn(Zt,i))??"en",n=ei.includes(t)?"rtl":"ltr";return{code:t,direction:n,texts:{...X,...Zt[t]}}}function T(s,e){return s.replace(/\{(\w+)\}/g,(t,n)=>String(e[n]??t))}var Yt=Number.POSITIVE_INFINITY;function be(s,e=Yt,t=Yt){let{ranges:n,passage:i}=s,{text:r}=i,o=Math.max((n[0]?.start??0)-e,0),a=(n.at(-1)?.end??0)+t,l=o?["…"]:[],u=o;for(let{start:d,end:f}of n)d<u||(l.push(r.slice(u,d),c("mark",{textContent:r.slice(d,f)})),u=f);return[...l,r.slice(u,a),r.length>a?"…":""]}function ke(s,e){switch(s){case"verbatim":return e.supportVerbatim;case"strong":return e.supportStrong;case"partial":return e.supportPartial;case"weak":return e.supportWeak;default:return""}}var rt="M6 4.6 12 10.6 18 4.6 19.4 6 13.4 12 19.4 18 18 19.4 12 13.4 6 19.4 4.6 18 10.6 12 4.6 6z",ti=832,ve=class{constructor(e,t,n,i){this.texts=e;this.chat=t;this.pageLink=n;this.closed=i;let r=c("button",{type:"button",className:"icon","aria-label":e.closeSource});r.append(E(rt)),r.onclick=()=>this.close();let o=c("div",{className:"source-head"},this.heading,r);this.node=c("aside",{className:"source",part:"source",hidden:!0}),this.node.setAttribute("aria-label",e.sources),this.node.append(o,this.body),new ResizeObserver(()=>this.settle()).observe(t)}texts;chat;pageLink;closed;node;body=c("div",{className:"source-body"});heading=c("h3",{tabIndex:-1});before;get isOpen(){return!this.node.hidden}open(e,t){this.before=e,this.fill(t),this.node.hidden=!1,this.body.scrollTop=0,this.settle(),this.heading.focus(),this.body.querySelector("mark")?.scrollIntoView({block:"nearest"})}close(){this.isOpen&&(this.node.hidden=!0,this.settle(),this.before?.isConnected&&this.before.focus(),this.closed())}fill({number:e,source:t,evidence:n,support:i}){let{texts:r}=this,{heading:o,passage:a}=n,l=t.title||r.untitled;this.heading.textContent=T(r.source,{number:e,title:l}),this.heading.dir="auto";let u=[l,o===l?"":o].filter(Boolean).join(" › "),d=a.page?T(r.page,{page:a.page}):"",f=ke(i,r);this.body.replaceChildren(c("p",{className:"trail",dir:"auto",textContent:[u,d].filter(Boolean).join(" · ")}),...f?[c("p",{className:"support",textContent:f})]:[],c("blockquote",{className:"passage",dir:"auto"},...be(n)));let{start:h,end:p}=n.ranges[0]??{start:0,end:0},g=this.pageLink(t,a.text.slice(h,p));g&&this.body.append(g)}settle(){let e=this.isOpen&&this.chat.clientWidth<ti;this.chat.toggleAttribute("data-source",this.isOpen);for(let t of this.chat.children)t instanceof HTMLElement&&t!==this.node&&(t.inert=e)}};var ni="M4 4h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H9l-5 4v-4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z",we=class{constructor(e,t){this.texts=e;this.panel=t;this.bubble=c("button",{type:"button",className:"bubble",part:"bubble","aria-haspopup":"dialog","aria-expanded":"false"}),this.bubble.append(E(ni),E(rt),this.unread),this.bubble.onclick=()=>this.isOpen?this.close():this.open(),this.dialog=c("div",{className:"dialog",part:"dialog",role:"dialog","aria-label":e.title,hidden:!0},t),this.dialog.addEventListener("keydown",n=>{n.key!=="Escape"||n.defaultPrevented||(n.stopPropagation(),this.close())}),this.node=c("div",{className:"launcher"},this.dialog,this.bubble),this.label()}texts;panel;node;bubble;dialog;unread=c("span",{className:"unread",hidden:!0,"aria-hidden":"true"});before;get isOpen(){return!this.dialog.hidden}open(){if(this.isOpen)return;let e=document.activeElement;this.before=e instanceof HTMLElement&&e!==document.body?e:void 0,this.dialog.hidden=!1,this.unread.hidden=!0,this.label(),this.panel.querySelector("textarea")?.focus()}close(){if(!this.isOpen)return;this.dialog.hidden=!0,this.label(),(this.before?.isConnected&&!this.before.shadowRoot?this.before:this.bubble).focus()}markUnread(){this.isOpen||(this.unread.hidden=!1,this.label(),y(this.bubble,this.texts.openUnread))}label(){let{texts:e,isOpen:t}=this,n=this.unread.hidden?e.open:e.openUnread;this.bubble.setAttribute("aria-label",t?e.close:n),this.bubble.setAttribute("aria-expanded",String(t))}};function ye(s,e){let t=e.map(l=>s.map(u=>ii(u,l.text))),n=t.map(l=>l.filter(Boolean).length),i=Math.max(n.indexOf(Math.max(...n)),0),r=e[i]??{text:"",page:void 0},o=(t[i]??[]).flatMap(l=>l??[]);o.sort((l,u)=>l.start-u.start);let a=s.every((l,u)=>t.some(d=>d[u]?.isWhole));return{passage:r,ranges:o,isComplete:a,heading:si(r.text,o[0]?.end)}}function ii(s,e){let t=s.split(`
`).map(n=>n.replace(/^\s*(?:[-*•]|\d+[.)])\s+/,"").trim()).sort((n,i)=>i.length-n.length);for(let[n,i]of[s.trim(),...t].entries()){let r=i?e.indexOf(i):-1,o=n===0||t.length===1;if(r>=0)return{start:r,end:r+i.length,isWhole:o}}}function si(s,e=s.length){let t=s.slice(0,e).split(/\n{2,}/).slice(0,-1),n=i=>i.length<=120&&!i.includes(`
`)&&!/[.:;,。：]$/.test(i)&&!/^\W*$/.test(i);return t.filter(n).at(-1)?.trim()??""}var ri=.8,oi=.5,I=class{constructor(e){this.answer=e;let{text:t,citations:n,supports:i}=e;this.ranges=Jt(t,n);let r=i.filter(({groundingScore:o})=>o!==void 0);this.scored=r.flatMap(o=>Jt(t,[o]).map(a=>({...a,score:o.groundingScore??0})));for(let o of this.ranges.flatMap(({sources:a})=>a))e.references[o]&&!this.numbers.has(o)&&this.numbers.set(o,this.numbers.size+1)}answer;numbers=new Map;ranges;scored;indexesIn(e,t){let n=this.within(e,t).flatMap(({sources:i})=>i);return[...new Set(n)].filter(i=>this.numbers.has(i))}cited(e,t=0,n=Number.POSITIVE_INFINITY){let i=this.within(t,n).filter(({sources:u})=>u.includes(e)),r=i.map(u=>this.answer.text.slice(u.start,u.end)),o=ot(this.answer.references[e]??{},e),a=ye(r,o.passages);return{number:this.numbers.get(e)??e+1,source:o,evidence:a,support:this.support(e,i,a)}}within(e,t){return this.ranges.filter(n=>n.end>e&&n.end<=t)}support(e,t,n){if(t.length&&n.isComplete)return"verbatim";let i=this.scored.filter(({sources:o})=>o.includes(e)).filter(o=>t.some(({start:a,end:l})=>a<o.end&&o.start<l)).map(({score:o})=>o);if(!i.length)return;let r=Math.min(...i);return r>=ri?"strong":r>=oi?"partial":"weak"}};function Jt(s,e){let t=new TextEncoder().encode(s),n=new TextDecoder,i=[],r=0,o=0,a=l=>(l<r&&([r,o]=[0,0]),o+=n.decode(t.subarray(r,l)).length,r=l,o);for(let{startIndex:l,endIndex:u,sources:d}of e){let f=Number(u??0);!f||f>t.length||i.push({start:a(Number(l??0)),end:a(f),sources:(d??[]).map(({referenceId:h})=>Number(h??0))})}return i}function ot(s,e){let t=s.unstructuredDocumentInfo,n=s.chunkInfo,i=t??s.structuredDocumentInfo??n?.documentMetadata??{},r=[...t?.chunkContents??[],...n?[n]:[]],o=i.document??"";return{index:e,title:i.title||o.split("/").pop()||"",document:o,uri:i.uri??"",passages:r.map(a=>({text:a.content??"",page:("pageIdentifier"in a?a.pageIdentifier:void 0)??i.pageIdentifier}))}}function Te(){return{async:!1,breaks:!1,extensions:null,gfm:!0,hooks:null,pedantic:!1,renderer:null,silent:!1,tokenizer:null,walkTokens:null}}var Se=Te();var W={exec:()=>null};function F(s){let e=[];return t=>{let n=Math.max(0,Math.min(3,t-1)),i=e[n];return i||(i=s(n),e[n]=i),i}}function x(s,e=""){let t=typeof s=="string"?s:s.source,n={replace:(i,r)=>{let o=typeof r=="string"?r:r.source;return o=o.replace(R.caret,"$1"),t=t.replace(i,o),n},getRegex:()=>new RegExp(t,e)};return n}var nn=((s="")=>{try{return!!new RegExp("(?<=1)(?<!1)"+s)}catch{return!1}})(),R={l:/^(?: {0,3}\t| {1,4})/gm,c:/^ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t\n]/,se:/\\([\[\]])/g,d:/^(\s+)(?:```)/,u:/^\s+/,p:/#$/,h:/^ /,f:/ $/,g:/[ \t]$/,e:/[^ ]/,m:/\n/g,x:/\t/g,s:/^[ \t]+/,b:/\s+/g,r:/^[ \t]*$/,k:/\n[ \t]*\n[ \t]*$/,n:/^ {0,3}>/,v:/\n {0,3}((?:=+|-+)[ \t]*)(?=\n|$)/g,o:/^ {0,3}>[ \t]?/gm,w:/^( {0,3}>)(\t[ \t]*)/gm,y:/^ {0,3}(?:(?:[*+-]|\d{1,9}[.)])(?: |$)|> ?)/,re:/^ {1,4}(?=( {4})*[^ ])/g,T:/^\[[ xX]\][ \t]+\S/,t:/^\[[ xX]\][ \t]+/,S:/\[[ xX]\]/,E:/\n.*\n/,C:/^<(.*)>$/,R:/[:|]/,A:/^\||\| *$/g,L:/\n[ \t]*$/,P:/^ *-+: *$/,N:/^ *:-+: *$/,O:/^ *:-+ *$/,I:/^<a /i,M:/^<\/a>/i,$:/^<(pre|code|kbd|script)(\s|>)/i,z:/^<\/(pre|code|kbd|script)(\s|>)/i,i:/^</,D:/>$/,q:/[\p{L}\p{N}]/u,H:/&#(?:(\d{1,7})|[Xx]([A-Fa-f0-9]{1,6}));/,B:/&#(?:(\d{1,7})|[Xx]([A-Fa-f0-9]{1,6}));|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/g,F:/[&<>"']/,W:/[&<>"']/g,U:/[<>"']|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/,j:/[<>"']|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/g,caret:/(^|[^\[])\^/g,G:/%25/g,Q:/\|/g,V:/ \|/,Z:/\\\|/g,K:/\r\n|\r/g,oe:/^ +$/gm,ae:/^\S*/,le:/\n$/,Y:s=>new RegExp(`^( {0,3}${s})((?:[	 ][^\\n]*)?(?:\\n|$))`),J:F(s=>new RegExp(`^ {0,${s}}(?:[*+-]|\\d{1,9}[.)])((?:[ 	][^\\n]*)?(?:\\n|$))`)),X:F(s=>new RegExp(`^ {0,${s}}((?:-[ 	]*){3,}|(?:_[ 	]*){3,}|(?:\\*[ 	]*){3,})(?:\\n+|$)`)),ee:F(s=>new RegExp(`^ {0,${s}}(?:\`\`\`|~~~)`)),te:F(s=>new RegExp(`^ {0,${s}}#{1,6}(?:\\s|$)`)),a:F(s=>new RegExp(`^ {0,${s}}(?:</?(?:${ct})(?:[ \\t]+|$|/?>)|<(?:(?:script|pre|style|textarea)(?:[\\s>]|$)|!--)|<\\?|<![A-Za-z]|<!\\[CDATA\\[)`,"i")),ne:F(s=>new RegExp(`^ {0,${s}}>`)),ie:/^(?: {0,3}(?:(?:[*+-]|\d{1,9}[.)])[ \t]+|>[ \t]?))+/},ai=/^(?:[ \t]*(?:\n|$))+/,li=/^((?: {4}| {0,3}\t)[^\n]+(?:\n(?:[ \t]*(?:\n|$))*)?)+/,ci=/^ {0,3}(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})([^\n]*)(?:\n|$)(?:|([\s\S]*?)(?:\n|$))(?: {0,3}(?:(?=`)\1`*|(?=~)\1~*) *(?=\n|$)|$)/,Ee=/^ {0,3}((?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/,di=/^ {0,3}(#{1,6})(?=\s|$)(.*)(?:\n+|$)/,lt=/ {0,3}(?:[*+-]|\d{1,9}[.)])/,ct="address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul",ee=x(" {0,3}(?:</?(?:tag)(?:[ \\t]+|\\n|/?>)|<(?:(?:script|pre|style|textarea)(?:[\\s>]|$)|!--)|<\\?|<![A-Za-z]|<!\\[CDATA\\[)").replace("tag",ct).getRegex(),sn=/^(?!bull |blockCode|fences|blockquote|heading|html|table)((?:.|\n(?!\s*?\n|bull |fences|blockquote|heading|hr|html|table))+?)\n {0,3}(=+|-+)[ \t]*(?:\n+|$)/,ui=x(sn).replace(/bull/g,lt).replace(/blockCode/g,/(?: {4}| {0,3}\t)/).replace(/fences/g,/ {0,3}(?:`{3,}|~{3,})/).replace(/blockquote/g,/ {0,3}>/).replace(/heading/g,/ {0,3}#{1,6}(?:\s|$)/).replace(/hr/g,/ {0,3}(?:(?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/).replace(/\|table/g,"").replace(/html/g,ee).getRegex(),pi=x(sn).replace(/bull/g,lt).replace(/blockCode/g,/(?: {4}| {0,3}\t)/).replace(/fences/g,/ {0,3}(?:`{3,}|~{3,})/).replace(/blockquote/g,/ {0,3}>/).replace(/heading/g,/ {0,3}#{1,6}(?:\s|$)/).replace(/hr/g,/ {0,3}(?:(?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/).replace(/table/g,/ {0,3}\|?(?:[:\- ]*\|)+[\:\- ]*\n/).replace(/html/g,ee).getRegex(),rn=/^([^\n]+(?:\n(?!hr|heading|lheading|blockquote|fences|list|html|table|[ \t]+\n)[^\n]+)*)/,hi=/^[^\n]+/,dt=/(?!\s*\])(?:\\[\s\S]|[^\[\]\\\n]|\n(?![ \t]*\n))+/,fi=x(/^ {0,3}\[(label)\]: *(?:\n[ \t]*)?([^<\s][^\s]*|<(?:\\.|[^\n<>\\])*>)(?:(?: +(?:\n[ \t]*)?| *\n[ \t]*)(title))? *(?:\n+|$)/).replace("label",dt).replace("title",/(?:"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\\n]|\n(?!\n))*'|\((?:\\[\s\S]|[^()\\])*\))/).getRegex(),gi=x(/^(bull)([ \t][^\n]*?)?(?:\n|$)/).replace(/bull/g,lt).getRegex(),on=/<!--(?:-?>|[\s\S]*?(?:-->|$))/,mi=x("^ {0,3}(?:<(script|pre|style|textarea)[\\s>][\\s\\S]*?(?:</\\1>[^\\n]*\\n*|$)|comment[^\\n]*(\\n+|$)|<\\?[\\s\\S]*?(?:\\?>[^\\n]*\\n*|$)|<![A-Z][\\s\\S]*?(?:>[^\\n]*\\n*|$)|<!\\[CDATA\\[[\\s\\S]*?(?:\\]\\]>[^\\n]*\\n*|$)|</?(tag)(?:[ \\t]+|\\n|/?>|$)[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$)|<(?!(?:script|pre|style|textarea)(?![a-z0-9-]))([a-z][a-z0-9-]*)(?:attribute)*?[ \\t]*/?>(?=[ \\t]*(?:\\n|$))[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$)|</[a-z][a-z0-9-]*\\s*>(?=[ \\t]*(?:\\n|$))[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$))","i").replace("comment",on).replace("tag",ct).replace("attribute",/[ \t]+[a-zA-Z:_][\w.:-]*(?:[ \t]*=[ \t]*"[^"\n]*"|[ \t]*=[ \t]*'[^'\n]*'|[ \t]*=[ \t]*[^\s"'=<>`]+)?/).getRegex(),an=s=>x(rn).replace("hr",Ee).replace("heading"," {0,3}#{1,6}(?:\\s|$)").replace("|lheading","").replace("|table","").replace("blockquote"," {0,3}>").replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list",s).replace("html",ee).getRegex(),xi=an(/ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t\n]/),bi=an(/ {0,3}(?:[*+-]|\d{1,9}[.)])(?:[ \t]|\n|$)/),ki=x(/^( {0,3}> ?(?:(?![ \t]*(?:\n|$))(paragraph)|[^\n]*)(?:\n|$))+/).replace("paragraph",bi).getRegex(),ln={blockquote:ki,code:li,def:fi,fences:ci,heading:di,hr:Ee,html:mi,lheading:ui,list:gi,newline:ai,paragraph:xi,table:W,text:hi},Xt=x("^ *([^\\n ].*)\\n {0,3}((?:\\| *)?:?-+:? *(?:\\| *:?-+:? *)*(?:\\| *)?)(?:\\n((?:(?! *\\n|hr|heading|blockquote|code|fences|list|html).*(?:\\n|$))*)\\n*|$)").replace("hr",Ee).replace("heading"," {0,3}#{1,6}(?:\\s|$)").replace("blockquote"," {0,3}>").replace("code","(?: {4}| {0,3}	)[^\\n]").replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list"," {0,3}(?:[*+-]|1[.)])[ \\t]").replace("html",ee).getRegex(),vi={...ln,lheading:pi,table:Xt,paragraph:x(rn).replace("hr",Ee).replace("heading"," {0,3}#{1,6}(?:\\s|$)").replace("|lheading","").replace("table",Xt).replace("blockquote"," {0,3}>").replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list"," {0,3}(?:[*+-]|1[.)])[ \\t]+[^ \\t\\n]").replace("html",ee).getRegex()},wi=/^\\([!"#$%&'()*+,\-./:;<=>?@\[\]\\^_`{|}~])/,yi=/^(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/,cn=/^( {2,}|\\)\n(?!\s*$)[ \t]*/,Ti=/^(`+|[^`])(?:(?= {2,}\n)|[\s\S]*?(?:(?=[\\<!\[`*_]|\b_|$)|[^ ](?= {2,}\n)))/,M=/[\p{P}\p{S}]/u,Ce=/[\s\p{P}\p{S}]/u,ut=/[^\s\p{P}\p{S}]/u,Si=x(/^((?![*_])punctSpace)/,"u").replace(/punctSpace/g,Ce).getRegex();var dn=/(?!~)[\p{P}\p{S}]/u,Ei=/(?!~)[\s\p{P}\p{S}]/u,Ci=/(?:[^\s\p{P}\p{S}]|~)/u,Ri=x(/link|precode-code|html/,"g").replace("link",/\[(?:[^\[\]`]|(?<a>`+)[^`]+\k<a>(?!`))*?\]\((?:\\[\s\S]|[^\\\(\)]|\((?:\\[\s\S]|[^\\\(\)])*\))*\)/).replace("precode-",nn?"(?<!`)()":"(^^|[^`])").replace("code",/(?<b>`+)[^`]+\k<b>(?!`)/).replace("html",/<(?! )[^<>]*?>/).getRegex(),un=/^(?:\*+(?:((?!\*)punct)|([^\s*]))?)|^_+(?:((?!_)punct)|([^\s_]))?/,Ai=x(un,"u").replace(/punct/g,M).getRegex(),Li=x(un,"u").replace(/punct/g,dn).getRegex(),pn="^[^_*]*?__[^_*]*?\\*[^_*]*?(?=__)|[^*]+(?=[^*])|(?!\\*)punct(\\*+)(?=[\\s]|$)|notPunctSpace(\\*+)(?!\\*)(?=punctSpace|$)|(?!\\*)punctSpace(\\*+)(?=notPunctSpace)|[\\s](\\*+)(?!\\*)(?=punct)|(?!\\*)punct(\\*+)(?!\\*)(?=punct)|notPunctSpace(\\*+)(?=notPunctSpace)",Pi=x(pn,"gu").replace(/notPunctSpace/g,ut).replace(/punctSpace/g,Ce).replace(/punct/g,M).getRegex(),Ni=x(pn,"gu").replace(/notPunctSpace/g,Ci).replace(/punctSpace/g,Ei).replace(/punct/g,dn).getRegex(),_i=x("^[^_*]*?\\*\\*[^_*]*?_[^_*]*?(?=\\*\\*)|[^_]+(?=[^_])|(?!_)punct(_+)(?=[\\s]|$)|notPunctSpace(_+)(?!_)(?=punctSpace|$)|(?!_)punctSpace(_+)(?=notPunctSpace)|[\\s](_+)(?!_)(?=punct)|(?!_)punct(_+)(?!_)(?=punct)","gu").replace(/notPunctSpace/g,ut).replace(/punctSpace/g,Ce).replace(/punct/g,M).getRegex(),Oi=x(/^~~?(?:((?!~)punct)|[^\s~])/,"u").replace(/punct/g,M).getRegex(),Ii="^[^~]+(?=[^~])|(?!~)punct(~~?)(?=[\\s]|$)|notPunctSpace(~~?)(?!~)(?=punctSpace|$)|(?!~)punctSpace(~~?)(?=notPunctSpace)|[\\s](~~?)(?!~)(?=punct)|(?!~)punct(~~?)(?!~)(?=punct)|notPunctSpace(~~?)(?=notPunctSpace)",Mi=x(Ii,"gu").replace(/notPunctSpace/g,ut).replace(/punctSpace/g,Ce).replace(/punct/g,M).getRegex(),$i=x(/\\(punct)/,"gu").replace(/punct/g,M).getRegex(),zi=x(/(`+)(?:[^`]|[^`][\s\S]*?[^`])\1(?!`)|`+|\\(punct)/,"gu").replace(/punct/g,M).getRegex(),Di=x(/^<(scheme:[^\s\x00-\x1f<>]*|email)>/).replace("scheme",/[a-zA-Z][a-zA-Z0-9+.-]{1,31}/).replace("email",/[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+(@)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+(?![-_])/).getRegex(),qi=x(on).replace("(?:-->|$)","-->").getRegex(),Hi=x("^comment|^</[a-zA-Z][a-zA-Z0-9-]*\\s*>|^<[a-zA-Z][a-zA-Z0-9-]*(?:attribute)*?\\s*/?>|^<\\?[\\s\\S]*?\\?>|^<![a-zA-Z]+\\s[\\s\\S]*?>|^<!\\[CDATA\\[[\\s\\S]*?\\]\\]>").replace("comment",qi).replace("attribute",/\s+[a-zA-Z:_][\w.:-]*(?:\s*=\s*"[^"]*"|\s*=\s*'[^']*'|\s*=\s*[^\s"'=<>`]+)?/).getRegex(),hn=/\[(?:\\[\s\S]|[^\[\]\\])*\]/,fn=x(/(?:\[(?:brackets|\\[\s\S]|[^\[\]\\])*\]|\\[\s\S]|`+(?!`)[^`]*?`+(?!`)|``+(?=\])|[^\[\]\\`])*?/).replace("brackets",hn).getRegex(),Bi=x(/^!?\[(label)\]\([ \t\n]*(href)(?:(?:[ \t]+(?:\n[ \t]*)?|\n[ \t]*)(title))?[ \t\n]*\)/).replace("label",fn).replace("href",/<(?:\\.|[^\n<>\\])*>|(?!<)[^ \t\n\x00-\x1f]+|(?=\))/).replace("title",/"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|\((?:\\[\s\S]|[^)\\])*\)/).getRegex(),Fi=x(/^!?\[(label)\]\[(ref)\]/).replace("label",fn).replace("ref",dt).getRegex(),Wi=x(/^!?\[(ref)\](?:\[\])?/).replace("ref",dt).getRegex(),en=/(?!\s*\])(?:\\[\s\S]|[^\[\]\\]){1,999}/,Ui=x(/(?:[^\[\]\\`]*(?:\[(?:brackets|\\[\s\S]|[^\[\]\\])*\]|\\[\s\S]|`+(?!`)[^`]*?`+(?!`)|``+(?=\]))){0,999}?[^\[\]\\`]*?/).replace("brackets",hn).getRegex(),ji=x("reflink|nolink(?!\\()","g").replace("reflink",x(/^!?\[(label)\]\[(ref)\]/).replace("label",Ui).replace("ref",en).getRegex()).replace("nolink",x(/^!?\[(ref)\](?:\[\])?/).replace("ref",en).getRegex()).getRegex(),tn=/[hH][tT][tT][pP][sS]?|[fF][tT][pP]/,Gi=/[A-Za-z0-9._+-]+@[a-zA-Z0-9-_]+(?:\.[a-zA-Z0-9-_]*[a-zA-Z0-9])+(?![\w-])/,Qi=x(/(?:mailto:email|xmpp:email(?:\/[A-Za-z0-9@.]+)?)/).replace(/email/g,Gi).getRegex(),gn={_backpedal:W,anyPunctuation:$i,anyPunctuationOutsideCode:zi,autolink:Di,blockSkip:Ri,br:cn,code:yi,del:W,delLDelim:W,delRDelim:W,emStrongLDelim:Ai,emStrongRDelimAst:Pi,emStrongRDelimUnd:_i,escape:wi,link:Bi,nolink:Wi,punctuation:Si,reflink:Fi,reflinkSearch:ji,tag:Hi,text:Ti,url:W},at={...gn,emStrongRDelimAst:Ni,emStrongLDelim:Li,delLDelim:Oi,delRDelim:Mi,url:x(/^emailProtocol|^((?:protocol):\/\/|www\.)(?:[a-zA-Z0-9\-]+\.?)+[^\s<]*|^email/).replace("emailProtocol",Qi).replace("protocol",tn).replace("email",/[A-Za-z0-9._+-]+(@)[a-zA-Z0-9-_]+(?:\.[a-zA-Z0-9-_]*[a-zA-Z0-9])+(?![\w-])/).getRegex(),_backpedal:/(?:[^?!.,:;*_'"~()&]+|\([^)]*\)|&(?![a-zA-Z0-9]+;$)|[?!.,:;*_'"~)]+(?!$))+/,del:/^(~~?)(?=[^\s~])((?:\\[\s\S]|[^\\])*?(?:\\[\s\S]|[^\s~\\]))\1(?=[^~]|$)/,text:x(/^(?:[^a-zA-Z0-9](?=emailProtocol)|(`+|~+|[^`~])(?:(?=[`~])|(?= {2,}\n)|(?=[a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-]+@)|[\s\S]*?(?:(?=[\\<!\[`*~_]|\b_|protocol:\/\/|wwwStart|$)|[^ ](?= {2,}\n)|[^a-zA-Z0-9](?=emailProtocol)|[^a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-](?=[a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-]+@))))/).replace("protocol",tn).replace(/emailProtocol/g,/(?:mailto|xmpp):/).replace("wwwStart",nn?"(?<![^\\s*_~(])www\\.":"www\\.").getRegex()},Vi={...at,br:x(cn).replace("{2,}","*").getRegex(),text:x(at.text).replace("\\b_","\\b_| {2,}\\n").replace(/\{2,\}/g,"*").getRegex()},Re={normal:ln,gfm:vi},te={normal:gn,gfm:at,breaks:Vi};function mn(s){return R.H.test(s)?s.replace(R.B,(e,t,n)=>{if(t===void 0&&n===void 0)return"&amp;";let i=t===void 0?Number.parseInt(n,16):Number.parseInt(t,10);return i===0||i>1114111||i>=55296&&i<=57343?"�":i===38?"&amp;":String.fromCodePoint(i)}):s}function pt(s,e){let t=s.replace(R.Q,(r,o,a)=>{let l=!1,u=o;for(;--u>=0&&a[u]==="\\";)l=!l;return l?"|":" |"}),n=t.split(R.V),i=0;if(n[0].trim()||n.shift(),n.length>0&&!n.at(-1)?.trim()&&n.pop(),e)if(n.length>e)n.splice(e);else for(;n.length<e;)n.push("");for(;i<n.length;i++)n[i]=n[i].trim().replace(R.Z,"|");return n}function P(s,e,t){let n=s.length;if(n===0)return"";let i=0;for(;i<n;){let r=s.charAt(n-i-1);if(r===e&&!t)i++;else if(r!==e&&t)i++;else break}return s.slice(0,n-i)}function ht(s){let e=s.split(`
`),t=e.length-1;for(;t>=0&&R.r.test(e[t]);)t--;return e.length-t<=2?s:e.slice(0,t+1).join(`
`)}function j(s){return s.trim().replace(R.b," ").toLowerCase().toUpperCase().toLowerCase()}function ft(s,e){if(s.indexOf(e[0])===-1&&s.indexOf(e[1])===-1)return-1;let t=0;for(let n=0;n<s.length;n++)if(s[n]==="\\")n++;else if(s[n]===e[0])t++;else if(s[n]===e[1]&&(t--,t<0))return n;return t>0?-2:-1}var U=new WeakMap;function gt(s){let e={"*":-1,_:-1},t=-1,n=s.length;for(let i=0;i<n;i++){let r=s[i];if(r!=="*"&&r!=="_"&&r!=="~")continue;let o=i===0?`
`:s[i-1],a=i+1;for(;a<n&&s[a]===r;)a++;o!==" "&&o!=="	"&&o!==`
`&&o!=="\r"&&o!=="\f"&&(r==="~"?t=i:e[r]=i),i=a-1}return{maskedSrc:s,lastPossibleEmStrongCloserIndex:e,lastPossibleDelCloserIndex:t}}function xn(s,e){let t=gt(e),n=U.get(s);n?n.push(t):U.set(s,[t])}function bn(s){let e=U.get(s);e&&(e.pop(),e.length===0&&U.delete(s))}function Ae(s,e,t){let n=U.get(s)?.at(-1);return n&&n.maskedSrc===e?n.lastPossibleEmStrongCloserIndex[t]:gt(e).lastPossibleEmStrongCloserIndex[t]}function Le(s,e){let t=U.get(s)?.at(-1);return t&&t.maskedSrc===e?t.lastPossibleDelCloserIndex:gt(e).lastPossibleDelCloserIndex}function Pe(s,e=0){let t=e,n="";for(let i of s)if(i==="	"){let r=4-t%4;n+=" ".repeat(r),t+=r}else n+=i,t++;return n}function Zi(s,e){let t="";for(let n=0;n<s.length;n++){if(s[n]==="`"){let i=e.inline.code.exec(s.slice(n));if(i){t+=i[0],n+=i[0].length-1;continue}}if(s[n]==="\\"&&(s[n+1]==="["||s[n+1]==="]")){t+=s[n+1],n++;continue}t+=s[n]}return t}function kn(s,e,t,n,i){let r=e.href,o=e.title||null,a=Zi(s[1],i),l=s[0].charAt(0)==="!",u=n.state.inLink,d=n.state.linkEmitted,f=n.state.inRawBlock;n.state.inLink=!0,n.state.linkEmitted=!1;let h=n.inlineTokens(a),p=n.state.linkEmitted;if(n.state.linkEmitted=d,n.state.inLink=u,!l){if(p){n.state.inRawBlock=f;return}n.state.linkEmitted=!0}return{type:l?"image":"link",raw:t,href:r,title:o,text:a,tokens:h}}function Ki(s,e,t){let n=s.match(t.other.d);if(n===null)return e;let i=n[1];return e.split(`
`).map(r=>{let o=r.match(t.other.u);if(o===null)return r;let[a]=o;return r.slice(Math.min(a.length,i.length))}).join(`
`)}function vn(s,e,t,n){if(!e.includes("<"))return!1;for(let i=0;i<e.length;i++){if(e[i]==="\\"){i++;continue}if(e[i]==="`"){let a=n.inline.code.exec(e.slice(i));if(a){i+=a[0].length-1;continue}}if(e[i]!=="<")continue;let r=s.slice(t+i),o=n.inline.tag.exec(r)||n.inline.autolink.exec(r);if(o){if(o[0].length>e.length-i)return!0;i+=o[0].length-1}}return!1}var $=class{options;rules;lexer;constructor(e){this.options=e||Se}space(e){let t=this.rules.block.newline.exec(e);if(t&&t[0].length>0)return{type:"space",raw:t[0]}}code(e){let t=this.rules.block.code.exec(e);if(t){let n=ht(t[0]),i=n.replace(this.rules.other.l,"");return{type:"code",raw:n,codeBlockStyle:"indented",text:i}}}fences(e){let t=this.rules.block.fences.exec(e);if(t){let n=t[0],i=Ki(n,t[3]||"",this.rules);return t[3]!==void 0&&(i===""||i.endsWith(`
`))&&(i+=`
`),{type:"code",raw:n,lang:t[2]?t[2].trim().replace(this.rules.inline.anyPunctuation,"$1"):t[2],text:i}}}heading(e){let t=this.rules.block.heading.exec(e);if(t){let n=t[2].trim();if(this.rules.other.p.test(n)){let i=P(n,"#");(!i||this.rules.other.g.test(i))&&(n=i.trim())}return{type:"heading",raw:P(t[0],`
`),depth:t[1].length,text:n,tokens:this.lexer.inline(n)}}}hr(e){let t=this.rules.block.hr.exec(e);if(t)return{type:"hr",raw:P(t[0],`
`)}}blockquote(e){let t=this.rules.block.blockquote.exec(e);if(t){let n=P(t[0],`
`).split(`
`),i="",r="",o=[];for(;n.length>0;){let a=!1,l=[],u;for(u=0;u<n.length;u++)if(this.rules.other.n.test(n[u]))l.push(n[u]),a=!0;else if(!a)l.push(n[u]);else break;n=n.slice(u);let d=l.join(`
`),f=d.replace(this.rules.other.w,(g,m,k)=>k.startsWith(" ")?m+" "+k.slice(1):m+Pe(k,m.length)).replace(this.rules.other.v,`
    $1`).replace(this.rules.other.o,"");i=i?`${i}
${d}`:d,r=r?`${r}
${f}`:f;let h=this.lexer.state.top;if(this.lexer.state.top=!0,this.lexer.blockTokens(f,o,!0),this.lexer.state.top=h,n.length===0)break;let p=o.at(-1);if(p?.type==="code"||p?.type==="heading"||p?.type==="hr"||p?.type==="html"||p?.type==="table")break;if(p?.type==="blockquote"){let g=p,m=n.join(`
`),k=g.raw+`
`+m.replace(this.rules.other.o,""),b=this.blockquote(k);o[o.length-1]=b;let v=k.substring(b.raw.length).replace(/^\n/,""),N=v?v.split(`
`).length:0,w=N?n.slice(0,-N):n;if(w.length>0&&(i=`${i}
${w.join(`
`)}`),r=r.substring(0,r.length-g.text.length)+b.text,n=n.slice(w.length),n.length>0&&this.rules.other.n.test(n[0]))continue;break}else if(p?.type==="list"){let g=p,m=g.raw+`
`+n.join(`
`),k=this.list(m);o[o.length-1]=k;let b=k.raw.length>g.raw.length?m.slice(g.raw.length+1,k.raw.length).split(`
`).length:0;if(b>0){let v=n.slice(0,b).join(`
`);i=`${i}
${v}`,r=`${r}
${v}`}if(n=n.slice(b),n.length>0&&!this.rules.other.n.test(n[0]))break;continue}}return{type:"blockquote",raw:i,tokens:o,text:r}}}list(e){let t=this.rules.block.list.exec(e);if(t){if(this.lexer.state.lastToken?.type==="text"&&!this.rules.other.c.test(e))return;let n=e,i=()=>n.length-e.length,r=t[1].trim(),o=r.length>1,a={type:"list",raw:"",ordered:o,start:o?+r.slice(0,-1):"",loose:!1,items:[]};r=o?`\\d{1,9}\\${r.slice(-1)}`:`\\${r}`;let l=this.rules.other.Y(r),u=!1;for(;e;){let h=!1,p="";if(!(t=l.exec(e))||this.rules.block.hr.test(e))break;let g=i();e=e.substring(t[0].length);let m=t[2].split(`
`,1)[0],k=t[1].length,b=m.replace(this.rules.other.s,z=>Pe(z,k)),v=e.split(`
`,1)[0],N=!b.trim(),w=0;if(N?w=k+1:(w=b.search(this.rules.other.e),w=w>4?1:w,p=b.slice(w),w+=k),N&&this.rules.other.r.test(v)&&(e=e.substring(v.length+1),h=!0),!h){let z=this.rules.other.J(w),V=this.rules.other.X(w),ie=this.rules.other.ee(w),O=this.rules.other.te(w),Z=this.rules.other.a(w),se=this.rules.other.ne(w),Ve=!1;for(;e;){let vt=e.split(`
`,1)[0],K;if(v=vt,K=v.replace(this.rules.other.s,C=>Pe(C)),ie.test(v)||O.test(v)||Z.test(v)||se.test(v)||z.test(v)||V.test(v))break;if(K.search(this.rules.other.e)>=w||!v.trim())p+=`
`+K.slice(w),Ve=!1;else{if(N)break;let C=b;if(!p.includes(`
`)&&!b.includes("	")){let D;for(;!V.test(C)&&(D=this.rules.other.y.exec(C));)C=C.slice(D[0].length);if(!C.trim())break}if(C.replace(this.rules.other.x,"    ").search(this.rules.other.e)>=4||ie.test(C)||O.test(C)||Z.test(C)||V.test(C))break;if(!Ve){let D=b.replace(this.rules.other.ie,"");if(this.rules.block.fences.test(D)||this.rules.block.heading.test(D)||this.rules.block.hr.test(D))break}let Dn=/^ {0,3}(?:=+|-+) *$/.test(v)&&this.rules.block.lheading.test(`${b}
${v}`)?`    ${K.replace(/^ {0,3}/,"")}`:v;p+=`
`+Dn,Ve=!0}N=!v.trim(),e=e.substring(vt.length+1),b=K.slice(w)}}let Q=n.slice(g,i());a.loose||(u?a.loose=!0:this.rules.other.k.test(Q)&&(u=!0)),a.items.push({type:"list_item",raw:Q,task:!!this.options.gfm&&this.rules.other.T.test(p),loose:!1,text:p,tokens:[]})}let d=a.items.at(-1);if(d)d.raw=d.raw.trimEnd(),d.text=d.text.trimEnd();else return;a.raw=n.slice(0,i()).trimEnd();let f=[];for(let h of a.items)if(this.lexer.state.top=!1,f.push(this.lexer.inlineQueue.length),h.tokens=this.lexer.blockTokens(h.text,[]),!a.loose){let p=h.tokens.filter(m=>m.type==="space"),g=p.length>0&&p.some(m=>this.rules.other.E.test(m.raw));a.loose=g}for(let h=0;h<a.items.length;h++){let p=a.items[h],g=p.tokens[0];if(p.task&&(g?.type==="text"||g?.type==="paragraph")){p.text=p.text.replace(this.rules.other.t,""),g.raw=g.raw.replace(this.rules.other.t,""),g.text=g.text.replace(this.rules.other.t,"");let m=this.lexer.inlineQueue;for(let b=f[h];b<m.length;b++)if(m[b].tokens===g.tokens){m[b].src=m[b].src.replace(this.rules.other.t,"");break}let k=this.rules.other.S.exec(p.raw);if(k){let b={type:"checkbox",raw:k[0]+" ",checked:k[0]!=="[ ]"};p.checked=b.checked,a.loose?p.tokens[0]&&["paragraph","text"].includes(p.tokens[0].type)&&"tokens"in p.tokens[0]&&p.tokens[0].tokens?(p.tokens[0].raw=b.raw+p.tokens[0].raw,p.tokens[0].text=b.raw+p.tokens[0].text,p.tokens[0].tokens.unshift(b)):p.tokens.unshift({type:"paragraph",raw:b.raw,text:b.raw,tokens:[b]}):p.tokens.unshift(b)}}else p.task&&(p.task=!1)}if(a.loose)for(let h of a.items){h.loose=!0;for(let p of h.tokens)p.type==="text"&&(p.type="paragraph")}return a}}html(e){let t=this.rules.block.html.exec(e);if(t){if(this.lexer.state.lastToken?.type==="paragraph"&&!this.rules.other.a(4).test(e))return;let n=ht(t[0]);return{type:"html",block:!0,raw:n,pre:t[1]==="pre"||t[1]==="script"||t[1]==="style",text:n}}}def(e){let t=this.rules.block.def.exec(e);if(t){if(!this.rules.other.i.test(t[2])&&ft(t[2],"()")!==-1)return;let n=j(t[1]),i=t[2]?t[2].replace(this.rules.other.C,"$1").replace(this.rules.inline.anyPunctuation,"$1"):"",r=t[3]?t[3].substring(1,t[3].length-1).replace(this.rules.inline.anyPunctuation,"$1"):t[3];return{type:"def",tag:n,raw:P(t[0],`
`),href:i,title:r}}}table(e){let t=this.rules.block.table.exec(e);if(!t||!this.rules.other.R.test(t[2]))return;let n=pt(t[1]),i=t[2].replace(this.rules.other.A,"").split("|"),r=t[3]?.trim()?t[3].replace(this.rules.other.L,"").split(`
`):[],o={type:"table",raw:P(t[0],`
`),header:[],align:[],rows:[]};if(n.length===i.length){for(let a of i)this.rules.other.P.test(a)?o.align.push("right"):this.rules.other.N.test(a)?o.align.push("center"):this.rules.other.O.test(a)?o.align.push("left"):o.align.push(null);for(let a=0;a<n.length;a++)o.header.push({text:n[a],tokens:this.lexer.inline(n[a]),header:!0,align:o.align[a]});for(let a of r)o.rows.push(pt(a,o.header.length).map((l,u)=>({text:l,tokens:this.lexer.inline(l),header:!1,align:o.align[u]})));return o}}lheading(e){let t=this.rules.block.lheading.exec(e);if(t){let n=t[1].trim();return{type:"heading",raw:P(t[0],`
`),depth:t[2].charAt(0)==="="?1:2,text:n,tokens:this.lexer.inline(n)}}}paragraph(e){let t=this.rules.block.paragraph.exec(e);if(t){let n=t[1].charAt(t[1].length-1)===`
`?t[1].slice(0,-1):t[1];return{type:"paragraph",raw:t[0],text:n,tokens:this.lexer.inline(n)}}}text(e){let t=this.rules.block.text.exec(e);if(t)return{type:"text",raw:t[0],text:t[0],tokens:this.lexer.inline(t[0])}}escape(e){if(e.charCodeAt(0)!==92)return;let t=this.rules.inline.escape.exec(e);if(t)return{type:"escape",raw:t[0],text:t[1]}}tag(e){if(e.charCodeAt(0)!==60)return;let t=this.rules.inline.tag.exec(e);if(t)return!this.lexer.state.inLink&&this.rules.other.I.test(t[0])?this.lexer.state.inLink=!0:this.lexer.state.inLink&&this.rules.other.M.test(t[0])&&(this.lexer.state.inLink=!1),!this.lexer.state.inRawBlock&&this.rules.other.$.test(t[0])?this.lexer.state.inRawBlock=!0:this.lexer.state.inRawBlock&&this.rules.other.z.test(t[0])&&(this.lexer.state.inRawBlock=!1),{type:"html",raw:t[0],inLink:this.lexer.state.inLink,inRawBlock:this.lexer.state.inRawBlock,block:!1,text:t[0]}}link(e){if(this.lexer.state.linkParenPossible===!1)return;let t=e.charCodeAt(0);if(t!==91&&t!==33)return;let n=this.rules.inline.link.exec(e);if(n){let i=n[0].charAt(0)==="!"?2:1;if(vn(e,n[1],i,this.rules))return;let r=n[2].trim();if(this.rules.other.i.test(r)){if(!this.rules.other.D.test(r))return;let u=P(r.slice(0,-1),"\\");if((r.length-u.length)%2===0)return}else{let u=ft(n[2],"()");if(u===-2)return;if(u>-1){let f=(n[0].indexOf("!")===0?5:4)+n[1].length+u;n[2]=n[2].substring(0,u),n[0]=n[0].substring(0,f).trim(),n[3]=""}}let o=P(n[0].slice(0,-1),"\\");if((n[0].length-o.length)%2===0)return;let a=n[2],l="";return l=n[3]?n[3].slice(1,-1):"",a=a.trim(),this.rules.other.i.test(a)&&(a=a.slice(1,-1)),kn(n,{href:a&&a.replace(this.rules.inline.anyPunctuation,"$1"),title:l&&l.replace(this.rules.inline.anyPunctuation,"$1")},n[0],this.lexer,this.rules)}}reflink(e,t){let n=e.charCodeAt(0);if(n!==91&&n!==33)return;let i;if((i=this.rules.inline.reflink.exec(e))||(i=this.rules.inline.nolink.exec(e))){let r=i[0].charAt(0)==="!"?2:1;if(vn(e,i[1],r,this.rules))return;let o=t[j(i[2]||i[1])];if(!o){let a=i[0].charAt(0);return{type:"text",raw:a,text:a}}return kn(i,o,i[0],this.lexer,this.rules)}}emStrong(e,t,n=""){let i=this.rules.inline.emStrongLDelim.exec(e);if(!i||!i[1]&&!i[2]&&!i[3]&&!i[4])return;let r=i[0][0],o=n===r,a=t.length-e.length,l=a;for(;l>0&&t[l-1]===r;)l--;let u=[...t.slice(Math.max(0,l-2),l)].at(-1)??"",d=u==="*"||u==="_"||!!this.rules.inline.punctuation.exec(u);l<a&&(n=u);let f=l<a?d:n==="*"||n==="_"||!!this.rules.inline.punctuation.exec(n);if(i[4]&&n.match(this.rules.other.q))return;let h=i[1]||i[3]||"";if(!h||!n||f){let p=[...i[0]].length-1,g,m,k=p,b=0,v=a-l+p,N=!!u.trim()&&(!!h||r==="*"&&!d);if(r!=="*"&&r!=="_")return;let w=r==="*"?this.rules.inline.emStrongRDelimAst:this.rules.inline.emStrongRDelimUnd,Q=Ae(this,t,r),z=t.length-e.length+p;if(Q<z)return;t=t.slice(-1*e.length+p);let V=Q-z;for(w.lastIndex=0;(i=w.exec(t))!==null&&!(i.index>V);){if(g=i[1]||i[2]||i[3]||i[4]||i[5]||i[6],!g)continue;if(m=[...g].length,i[3]||i[4]){k+=m;continue}else if((i[5]||i[6]||N)&&v%3&&!((v+m)%3)){if(o&&(i[5]||i[6]))break;b+=m;continue}if(k-=m,k>0)continue;m=Math.min(m,m+k+b);let ie=[...i[0]][0].length,O=e.slice(0,p+i.index+ie+m);if(Math.min(p,m)%2){let se=O.slice(1,-1);return{type:"em",raw:O,text:se,tokens:this.lexer.inlineTokens(se)}}let Z=O.slice(2,-2);return{type:"strong",raw:O,text:Z,tokens:this.lexer.inlineTokens(Z)}}}}codespan(e){if(e.charCodeAt(0)!==96)return;let t=this.rules.inline.code.exec(e);if(t){let n=t[2].replace(this.rules.other.m," "),i=this.rules.other.e.test(n),r=this.rules.other.h.test(n)&&this.rules.other.f.test(n);return i&&r&&(n=n.substring(1,n.length-1)),{type:"codespan",raw:t[0],text:n}}}br(e){let t=e.charCodeAt(0);if(t!==32&&t!==92&&t!==10)return;let n=this.rules.inline.br.exec(e);if(n)return{type:"br",raw:n[0]}}del(e,t,n=""){if(e.charCodeAt(0)!==126)return;let i=this.rules.inline.delLDelim.exec(e);if(!i)return;if(!(i[1]||"")||!n||this.rules.inline.punctuation.exec(n)){let o=[...i[0]].length-1,a,l,u=o,d=this.rules.inline.delRDelim,f=Le(this,t),h=t.length-e.length+o;if(f<h)return;t=t.slice(-1*e.length+o);let p=f-h;for(d.lastIndex=0;(i=d.exec(t))!==null&&!(i.index>p);){if(a=i[1]||i[2]||i[3]||i[4]||i[5]||i[6],!a||(l=[...a].length,l!==o))continue;if(i[3]||i[4]){u+=l;continue}if(u-=l,u>0)continue;l=Math.min(l,l+u);let g=[...i[0]][0].length,m=e.slice(0,o+i.index+g+l),k=m.slice(o,-o);return{type:"del",raw:m,text:k,tokens:this.lexer.inlineTokens(k)}}}}autolink(e){if(e.charCodeAt(0)!==60)return;let t=this.rules.inline.autolink.exec(e);if(t){let n,i;return t[2]==="@"?(n=t[1],i="mailto:"+n):(n=t[1],i=n),{type:"link",raw:t[0],text:n,href:i,autolink:!0,tokens:[{type:"text",raw:n,text:n}]}}}url(e){let t;if(t=this.rules.inline.url.exec(e)){let n,i;if(t[2]==="@")n=t[0],i="mailto:"+n;else{let r;do r=t[0],t[0]=this.rules.inline._backpedal.exec(t[0])?.[0]??"";while(r!==t[0]);n=t[0],t[1]==="www."?i="http://"+t[0]:i=t[0]}return{type:"link",raw:t[0],text:n,href:i,autolink:!0,tokens:[{type:"text",raw:n,text:n}]}}}inlineText(e){let t=this.rules.inline.text.exec(e);if(t){let n=this.lexer.state.inRawBlock;return{type:"text",raw:t[0],text:n?t[0]:mn(t[0]),escaped:n}}}};var ne=class s{tokens;options;state;inlineQueue;tokenizer;constructor(e){this.tokens=[],this.tokens.links=Object.create(null),this.options=e||Se,this.options.tokenizer=this.options.tokenizer||new $,this.tokenizer=this.options.tokenizer,this.tokenizer.options=this.options,this.tokenizer.lexer=this,this.inlineQueue=[],this.state={inLink:!1,inRawBlock:!1,linkEmitted:!1,linkParenPossible:!0,top:!0};let t={other:R,block:Re.normal,inline:te.normal};this.options.gfm&&(t.block=Re.gfm,this.options.breaks?t.inline=te.breaks:t.inline=te.gfm),this.tokenizer.rules=t}static get rules(){return{block:Re,inline:te}}static lex(e,t){return new s(t).lex(e)}static lexInline(e,t){return new s(t).inlineTokens(e)}lex(e){e=e.replace(R.K,`
`),this.blockTokens(e,this.tokens);for(let t=0;t<this.inlineQueue.length;t++){let n=this.inlineQueue[t];this.state.inRawBlock=!1,this.inlineTokens(n.src,n.tokens)}return this.inlineQueue=[],this.tokens}blockTokens(e,t=[],n=!1){this.tokenizer.lexer=this;let i=this.state.lastToken,r=1/0,o,a=this.options.gfm&&!0&&this.tokenizer.paragraph===$.prototype.paragraph;for(;e;){if(e.length<r)r=e.length;else{this.infiniteLoopError(e.charCodeAt(0));break}this.state.lastToken=t.at(-1);let l;if(this.options.extensions?.block?.some(d=>(l=d.call({lexer:this},e,t))?(e=e.substring(l.raw.length),t.push(l),!0):!1))continue;if(l=this.tokenizer.space(e)){e=e.substring(l.raw.length);let d=t.at(-1);l.raw.length===1&&d!==void 0?d.raw+=`
`:t.push(l);continue}if(l=this.tokenizer.code(e)){e=e.substring(l.raw.length);let d=t.at(-1);d?.type==="paragraph"||d?.type==="text"?(d.raw+=(d.raw.endsWith(`
`)?"":`
`)+l.raw,d.text+=`
`+l.text,this.inlineQueue.at(-1).src=d.text):t.push(l);continue}if(l=this.tokenizer.fences(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.heading(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.hr(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.blockquote(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.list(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.html(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.def(e)){e=e.substring(l.raw.length);let d=t.at(-1);d?.type==="paragraph"||d?.type==="text"?(d.raw+=(d.raw.endsWith(`
`)?"":`
`)+l.raw,d.text+=`
`+l.raw,this.inlineQueue.at(-1).src=d.text):(this.tokens.links[l.tag]||(this.tokens.links[l.tag]={href:l.href,title:l.title}),t.push(l));continue}if(l=this.tokenizer.table(e)){e=e.substring(l.raw.length),t.push(l);continue}if(l=this.tokenizer.lheading(e)){e=e.substring(l.raw.length),t.push(l);continue}let u=e;if(this.options.extensions?.startBlock){let d=1/0,f=e.slice(1),h;this.options.extensions.startBlock.forEach(p=>{h=p.call({lexer:this},f),typeof h=="number"&&h>=0&&(d=Math.min(d,h))}),d<1/0&&d>=0&&(u=e.substring(0,d+1))}if(this.state.top&&(l=this.tokenizer.paragraph(u))){let d=t.at(-1);(n||d===o&&a)&&d?.type==="paragraph"?(d.raw+=(d.raw.endsWith(`
`)?"":`
`)+l.raw,d.text+=`
`+l.text,this.inlineQueue.pop(),this.inlineQueue.at(-1).src=d.text,o=d):(t.push(l),o=l),n=u.length!==e.length,e=e.substring(l.raw.length);continue}if(l=this.tokenizer.text(e)){e=e.substring(l.raw.length);let d=t.at(-1);d?.type==="text"?(d.raw+=(d.raw.endsWith(`
`)?"":`
`)+l.raw,d.text+=`
`+l.text,this.inlineQueue.pop(),this.inlineQueue.at(-1).src=d.text):t.push(l);continue}if(e){this.infiniteLoopError(e.charCodeAt(0));break}}return this.state.top=!0,this.state.lastToken=i,t}inline(e,t=[]){return this.inlineQueue.push({src:e,tokens:t}),t}linkInText(e){if(!e.includes("["))return!1;let t=this.tokenizer.rules.inline.link;for(let n of e.matchAll(this.tokenizer.rules.inline.blockSkip))if(t.test(n[0])&&e.charAt(n.index-1)!=="!")return!0;for(let n of e.matchAll(this.tokenizer.rules.inline.reflinkSearch)){let i=n[0],r=i.lastIndexOf("[");if(!(i.charAt(0)==="!"||!Object.hasOwn(this.tokens.links,j(i.slice(r+1,-1))))&&!(r>1&&this.linkInText(i.slice(1,r-1))))return!0}return!1}inlineTokens(e,t=[]){this.tokenizer.lexer=this;let n=this.state.linkParenPossible;this.state.linkParenPossible=e.includes(")");try{return this.#t(e,t)}finally{this.state.linkParenPossible=n}}#t(e,t){let n=e.includes("*")||e.includes("_")||e.includes("~"),i=n||this.options.hooks?.emStrongMask||this.tokenizer.emStrong!==$.prototype.emStrong||this.tokenizer.del!==$.prototype.del?this.#i(e):e;if(!n)return this.#e(e,i,t);xn(this.tokenizer,i);try{return this.#e(e,i,t)}finally{bn(this.tokenizer)}}#e(e,t,n){let i=!1,r="",o=1/0;for(;e;){if(e.length<o)o=e.length;else{this.infiniteLoopError(e.charCodeAt(0));break}i||(r=""),i=!1;let a;if(this.options.extensions?.inline?.some(d=>(a=d.call({lexer:this},e,n))?(e=e.substring(a.raw.length),n.push(a),!0):!1))continue;if(a=this.tokenizer.escape(e)){e=e.substring(a.raw.length),n.push(a);continue}if(a=this.tokenizer.tag(e)){e=e.substring(a.raw.length),n.push(a);continue}if(a=this.tokenizer.link(e)){e=e.substring(a.raw.length),n.push(a);continue}if(a=this.tokenizer.reflink(e,this.tokens.links)){e=e.substring(a.raw.length);let d=n.at(-1);a.type==="text"&&d?.type==="text"?(d.raw+=a.raw,d.text+=a.text):n.push(a);continue}let l=e[0];if(l==="*"||l==="_"){let d=t.length-e.length;if(Ae(this.tokenizer,t,l)<=d){let h=1;for(;h<e.length&&e.charCodeAt(h)===l.charCodeAt(0);)h++;let p=e.substring(0,h),g=n.at(-1);g?.type==="text"&&!g.escaped?(g.raw+=p,g.text+=p):n.push({type:"text",raw:p,text:p,escaped:!1}),e=e.substring(h),r=l,i=!0;continue}}else if(l==="~"){let d=t.length-e.length;if(Le(this.tokenizer,t)<=d){let h=1;for(;h<e.length&&e.charCodeAt(h)===126;)h++;let p=e.substring(0,h),g=n.at(-1);g?.type==="text"&&!g.escaped?(g.raw+=p,g.text+=p):n.push({type:"text",raw:p,text:p,escaped:!1}),e=e.substring(h),r=l,i=!0;continue}}if(a=this.tokenizer.emStrong(e,t,r)){e=e.substring(a.raw.length),n.push(a);continue}if(a=this.tokenizer.codespan(e)){e=e.substring(a.raw.length),n.push(a);continue}if(a=this.tokenizer.br(e)){e=e.substring(a.raw.length),n.push(a);continue}if(a=this.tokenizer.del(e,t,r)){e=e.substring(a.raw.length),n.push(a);continue}if(a=this.tokenizer.autolink(e)){e=e.substring(a.raw.length),n.push(a);continue}if(!this.state.inLink&&(a=this.tokenizer.url(e))){e=e.substring(a.raw.length),n.push(a);continue}let u=e;if(this.options.extensions?.startInline){let d=1/0,f=e.slice(1),h;this.options.extensions.startInline.forEach(p=>{h=p.call({lexer:this},f),typeof h=="number"&&h>=0&&(d=Math.min(d,h))}),d<1/0&&d>=0&&(u=e.substring(0,d+1))}if(a=this.tokenizer.inlineText(u)){e=e.substring(a.raw.length),a.raw.slice(-1)!=="_"&&(r=a.raw.slice(-1)),i=!0;let d=n.at(-1);d?.type==="text"?(d.raw+=a.raw,d.text+=a.text):n.push(a);continue}if(e){this.infiniteLoopError(e.charCodeAt(0));break}}return n}#n(e){let{blockSkip:t,tag:n,autolink:i}=this.tokenizer.rules.inline,r="",o=0,a;for(t.lastIndex=0;a=t.exec(e);){let l=a.index+(a[2]?a[2].length:0),u=a.index+a[0].length;if(e.charAt(l)==="<"){let d=e.slice(l),f=n.exec(d)||i.exec(d);if(!f){t.lastIndex=l+1;continue}u=l+f[0].length,t.lastIndex=u}r+=e.slice(o,l)+"["+"a".repeat(u-l-2)+"]",o=u}return r+e.slice(o)}#i(e){let t=e;if(this.tokens.links&&e.includes("[")){let n=this.tokenizer.rules.inline.reflinkSearch,i=r=>{let o=r.lastIndexOf("[");if(!Object.hasOwn(this.tokens.links,j(r.slice(o+1,-1))))return r;if(o>1&&r.charAt(0)!=="!"){let a=r.slice(1,o-1);if(this.linkInText(a))return"["+a.replace(n,i)+"]["+"a".repeat(r.length-o-2)+"]"}return"["+"a".repeat(r.length-2)+"]"};t=t.replace(n,i)}return t=t.replace(this.tokenizer.rules.inline.anyPunctuationOutsideCode,(n,i,r)=>r?"+".repeat(n.length):i?i+n.slice(i.length,-i.length).replace(/`/g,"+")+i:n),t=this.#n(t),t=this.options.hooks?.emStrongMask?.call({lexer:this},t)??t,t}infiniteLoopError(e){let t="Infinite loop on byte: "+e;if(this.options.silent)console.error(t);else throw new Error(t)}};var Yi=/(?:^|\n)[ \t]*(?:>[ \t]*)*(?:[-+*=_>]+|#{1,6}|\d{1,9}[.)]?|`{1,2}|~{1,2})[ \t]*$/,Ji=/(?:^|\n)[ \t]*\|[^\n]*(?:\n[ \t]*\|?[-:| \t]*)?$/,Xi=/\n[ \t]*(?:`{1,2}|~{1,2})$/,es=/(?:^|\n) {0,3}<\/?(?:[a-zA-Z](?:[^<>"]|"[^"]*")*(?:"[^"]*)?)?$/,ts=/&#?\w{0,8}$/,ns=/^\s*(?:(?:[-*+>]|\d+[.)])\s+)*(?:`{3,}|~{3,})/,is=/(?:^|\n)(?:[ \t]*(?=\n)|[ \t]*(?:[-*+>]|\d{1,9}[.)]|#{1,6})[ \t]+)/g,ss=/^(?:\*+|_+|~~+|~$)/,mt=/[\p{L}\p{N}]/u;function wn({type:s,raw:e}){if(e.split(`
`).filter(r=>ns.test(r)).length%2===1||s==="code")return e.replace(Xi,"");let n=e.replace(Yi,"").replace(es,"");s!=="table"&&(n=n.replace(Ji,""));let i=0;for(let r of n.matchAll(is))i=r.index+r[0].length;return s==="table"&&(i=Math.max(i,n.lastIndexOf("|")+1)),n.slice(0,i)+rs(n.slice(i).replace(ts,""))}function rs(s){let e=[];for(let t=0;t<s.length;){let n=s.slice(t);if(n[0]==="\\")t+=2;else if(n[0]==="`"){let i=/^`+/.exec(n)?.[0]??"`",r=n.indexOf(i,i.length);if(r<0){let o=n.length>i.length?n+i:"";return xt(s.slice(0,t)+o,e)}t+=r+i.length}else if(/^!?\[/.test(n)){let i=/^!?\[[^\]\n]*\]\([^()\n]*\)/.exec(n),r=/^!?\[([^\]\n]*)(?:\](?:\([^()\n]*)?)?$/.exec(n);r?s=s.slice(0,t)+(r[1]??""):t+=i?.[0].length??1}else{let i=ss.exec(n)?.[0],r=i?.length===n.length,o=i?os(i,s[t-1]??" ",n[i.length]??" ",e):0;if(i&&r&&o)return xt(s.slice(0,t+i.length-o),e);t+=i?.length??1}}return xt(s,e)}function os(s,e,t,n){let i=s[0]??"",r=s.length,o=i==="_"&&mt.test(t);for(;r&&e.trim()&&!o&&n.at(-1)?.startsWith(i);){let a=n.at(-1)?.length??0;if(a>r)return r;n.pop(),r-=a}return!r||!t.trim()||i==="_"&&mt.test(e)?i==="_"&&mt.test(e)&&!n.length?0:r:(r%2&&n.push(i),r>1&&n.push(i.repeat(2)),0)}function xt(s,e){return s.trimEnd()+[...e].reverse().join("")}var as=/<\/?[a-zA-Z][\w:-]*(?:\s(?:[^<>"'\n]|\n(?!\s*\n)|"[^"\n]*"|'[^'\n]*')*)?>/.source,ls=new RegExp(`^(?: {0,3}${as}(?:[^\\n]*>)?[ \\t]*(?:\\n|$))+`),cs={...Te(),breaks:!0,extensions:{renderers:{},childTokens:{},startBlock:[s=>s.match(/^ {0,3}<[a-zA-Z/]/m)?.index],block:[s=>{let e=ls.exec(s)?.[0];return e?{type:"markup",raw:e}:void 0}]}},ds={amp:"&",lt:"<",gt:">",quot:'"',apos:"'",nbsp:" ",ndash:"–",mdash:"—",hellip:"…"};function _e(s,e=!1){let t=[],n=0;for(let r of yn(s)){let o=n+r.raw.length;Ne(r)&&t.push({start:n,end:o,shown:r.raw.trimEnd(),token:r}),n=o}let i=t.at(-1);if(e&&i&&!s.endsWith(`

`)){let r=wn(i.token),o=yn(r).find(Ne);t.pop(),o&&t.push({...i,shown:r.trimEnd(),token:o})}return t}function yn(s){return new ne({...cs}).lex(s)}function Oe(s,e){let t=s;switch(t.type){case"heading":return c("h4",{},..._(t.tokens));case"list":return us(t,e);case"table":return ps(t);case"code":return Tn(t.text,e);case"blockquote":return c("blockquote",{},...t.tokens.filter(Ne).map(n=>Oe(n,e)));case"hr":return c("hr");case"paragraph":case"text":return c("p",{},..._(t.tokens??[t]));default:return Tn(s.raw.trim(),e)}}function Ne(s){return s.type!=="space"&&s.type!=="def"}function us(s,e){let t=s.ordered?c("ol",{start:Number(s.start||1)}):c("ul");for(let n of s.items){let i=[];for(let r of n.tokens.filter(Ne))r.type==="checkbox"?i.push(n.checked?"☑ ":"☐ "):r.type==="text"?i.push(..._(r.tokens??[r])):i.push(Oe(r,e));t.append(c("li",{},...i))}return t}function ps(s){let e=(i,{tokens:r,align:o})=>{let a=c(i,{},..._(r));return o&&(a.style.textAlign=o),a},t=c("thead",{},c("tr",{},...s.header.map(i=>e("th",i)))),n=c("tbody");for(let i of s.rows)n.append(c("tr",{},...i.map(r=>e("td",r))));return c("div",{className:"table",tabIndex:0,role:"group"},c("table",{},t,n))}function Tn(s,e){let t=c("pre",{tabIndex:0,dir:"ltr"},c("code",{textContent:s}));return c("div",{className:"code"},e(s),t)}function _(s){return s.flatMap(e=>{let t=e;switch(t.type){case"strong":return[c("strong",{},..._(t.tokens))];case"em":return[c("em",{},..._(t.tokens))];case"del":return[c("del",{},..._(t.tokens))];case"codespan":return[c("code",{textContent:t.text,dir:"ltr"})];case"br":return[c("br")];case"link":return Sn(t.href,_(t.tokens),t.text);case"image":return Sn(t.href,[t.text||t.href],t.text);case"escape":return[t.text];case"text":return t.tokens?_(t.tokens):[hs(t.text)];default:return[e.raw]}})}function Sn(s,e,t){let n=L(s);if(!n)return e;let i=new URL(n).host,r=H(n,...e);return i&&!t.includes(i)?[r,c("span",{className:"host",textContent:` (${i})`,dir:"ltr"})]:[r]}function hs(s){return s.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w+));/g,(e,t,n,i)=>{if(i)return ds[i]??e;let r=t?Number(t):Number.parseInt(n,16);return r>0&&r<=1114111?String.fromCodePoint(r):e})}function Ie(s,e){let t=new I(s),n=_e(s.text).map(({start:r,end:o})=>{let a=t.indexesIn(r,o).map(u=>`[${t.numbers.get(u)}]`),l=s.text.slice(r,o).trimEnd();return a.length?`${l} ${a.join("")}`:l}),i=[...t.numbers].map(([r,o])=>{let{title:a,document:l,uri:u}=t.cited(r).source;return[`[${o}] ${a||l}`,L(u)].filter(Boolean).join(" ")});return[...n,...i.length?[`${e}:
${i.join(`
`)}`]:[]].join(`

`)}async function En(s){try{return await navigator.clipboard.writeText(s),!0}catch{return fs(s)}}function fs(s){let e=document.activeElement,t=document.createElement("textarea");t.value=s,document.body.append(t),t.select();let n=document.execCommand("copy");t.remove();let i=e?.shadowRoot?.activeElement??e;return i instanceof HTMLElement&&i.focus(),n}var gs=2500;function Cn(s,e,t){let n=c("span",{textContent:e}),i=c("button",{type:"button",className:"copy"},n);return Rn(i,s,t,r=>n.textContent=r??e),i}function bt(s,e,t,n){let i=c("span"),r=c("button",{type:"button",className:"icon",title:t,"aria-label":t});return r.append(E(e),i),Rn(r,s,n,o=>i.textContent=o??""),r}function Rn(s,e,t,n){let i;s.onclick=async()=>{let r=await En(t())?e.copied:e.notCopied;n(r),y(s,r),clearTimeout(i),i=setTimeout(()=>n(void 0),gs)}}var ms="M2 21h4V9H2zm20-11a2 2 0 0 0-2-2h-6.3l1-4.6v-.3c0-.4-.2-.8-.5-1.1L13.2 1 6.6 7.6A2 2 0 0 0 6 9v10a2 2 0 0 0 2 2h9a2 2 0 0 0 1.8-1.2l3-7c.1-.2.2-.5.2-.8z",xs="M22 3h-4v12h4zM2 14a2 2 0 0 0 2 2h6.3l-1 4.6v.3c0 .4.2.8.5 1.1l1 1 6.6-6.6A2 2 0 0 0 18 15V5a2 2 0 0 0-2-2H7a2 2 0 0 0-1.8 1.2l-3 7c-.1.2-.2.5-.2.8z",bs=2e3,Me=class{constructor(e,t,n){this.turn=e;this.texts=t;this.actions=n;let i=G(ms,t.helpful),r=G(xs,t.notHelpful);i.onclick=()=>this.judge(!0),r.onclick=()=>this.judge(!1),this.thumbs=[i,r],this.show()}turn;texts;actions;node=c("div",{className:"feedback"});thumbs;said=c("p");judge(e){this.turn.rating?.isHelpful===e&&this.turn.rating.state!=="failed"||(this.turn.rating={isHelpful:e,reasons:[],comment:"",state:e?"sent":"asked"},this.show(),e||this.node.querySelector("button")?.focus(),this.send())}async send(){let{rating:e}=this.turn;!e||await this.actions.rate(this.turn,e)||e!==this.turn.rating||(e.state="failed",this.show())}show(){let{rating:e}=this.turn;this.thumbs.forEach((n,i)=>n.setAttribute("aria-pressed",String(e?.isHelpful===(i===0))));let t={sent:this.texts.thanks,failed:this.texts.notSent,asked:"",kept:""};this.said.textContent=e?t[e.state]:"",this.node.replaceChildren(...e?.state==="asked"?[this.form()]:[],this.said),this.said.textContent&&y(this.node,this.said.textContent)}form(){let{texts:e}=this,t=c("div",{className:"chips"},...ks(e).map(o=>this.chip(...o))),n=c("textarea",{rows:2,maxLength:bs,placeholder:e.comment,"aria-label":e.comment,dir:"auto",value:this.turn.rating?.comment??""});n.oninput=()=>{this.turn.rating&&(this.turn.rating.comment=n.value)};let i=c("button",{type:"button",textContent:e.sendFeedback});i.onclick=()=>this.complete();let r=c("div",{role:"group","aria-label":e.whatIsWrong});return r.append(c("p",{textContent:e.whatIsWrong}),t,n,i),r}complete(){let{rating:e}=this.turn;e&&(e.state="sent",this.show(),this.thumbs[1].focus(),(e.reasons.length||e.comment.trim())&&this.send())}chip(e,t){let n=()=>this.turn.rating?.reasons.includes(e)??!1,i=c("button",{type:"button",textContent:t,"aria-pressed":String(n())});return i.onclick=()=>{let{rating:r}=this.turn;r&&(r.reasons=n()?r.reasons.filter(o=>o!==e):[...r.reasons,e],i.setAttribute("aria-pressed",String(n())))},i}};function ks(s){return[["INACCURATE_RESPONSE",s.reasonInaccurate],["NOT_RELEVANT",s.reasonNotRelevant],["INCOMPREHENSIVE",s.reasonIncomplete],["BAD_CITATION",s.reasonBadSource],["FORMAT_AND_STYLES",s.reasonFormat],["OFFENSIVE_OR_UNSAFE",s.reasonHarmful]]}var vs="M16 1H4a2 2 0 0 0-2 2v14h2V3h12zm3 4H8a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2zm0 16H8V7h11z",ws="M3.9 12A3.1 3.1 0 0 1 7 8.9h4V7H7a5 5 0 0 0 0 10h4v-1.9H7A3.1 3.1 0 0 1 3.9 12zM8 13h8v-2H8zm9-6h-4v1.9h4a3.1 3.1 0 0 1 0 6.2h-4V17h4a5 5 0 0 0 0-10z",ys="M17.7 6.3A8 8 0 1 0 19.7 14h-2.1A6 6 0 1 1 12 6c1.7 0 3.1.7 4.2 1.8L13 11h7V4z",$e=class{node;constructor(e,t,n){let i=G(ys,t.askAgain);i.onclick=()=>n.ask(e.query);let r=c("div",{className:"buttons"}),{answer:o}=e;if(o.text&&!o.skippedReasons.length&&r.append(bt(t,vs,t.copyAnswer,()=>Ie(e.answer,t.sources))),r.append(bt(t,ws,t.copyLink,()=>yt(e.query)),i),this.node=c("div",{className:"tools"},r),o.state!=="SUCCEEDED"||!o.name)return;let a=new Me(e,t,n);r.append(...a.thumbs),this.node.append(a.node)}};function G(s,e){let t=c("button",{type:"button",className:"icon",title:e,"aria-label":e});return t.append(E(s)),t}var Ts="M12 14a3 3 0 0 0 3-3V5a3 3 0 0 0-6 0v6a3 3 0 0 0 3 3zm5-3a5 5 0 0 1-10 0H5a7 7 0 0 0 6 6.9V21h2v-3.1A7 7 0 0 0 19 11z";function An(s,e,t){let{SpeechRecognition:n,webkitSpeechRecognition:i}=window,r=n??i;if(!r||!isSecureContext||!Ss())return[];let o=G(Ts,s.dictate),a,l=u=>{a=u,o.setAttribute("aria-pressed",String(!!u))};return l(void 0),o.onclick=()=>{if(a)return a.stop();let u=e.value&&`${e.value.trimEnd()} `,d=new r;d.lang=o.closest("[lang]")?.lang??"",d.interimResults=!0,d.onresult=({results:f})=>{let h=Array.from(f,([p])=>p?.transcript??"");e.value=(u+h.join("").trimStart()).slice(0,e.maxLength),t()},d.onerror=({error:f})=>{f!=="aborted"&&y(o,e.placeholder=s.notHeard)},d.onend=()=>{l(void 0),e.focus()},l(d),d.start()},[o]}function Ss(){let{featurePolicy:s}=document;return s?.allowsFeature("microphone")??!0}var Es=1e4,Cs=6,ze=class{node;field;stop;constructor(e,t){this.field=c("textarea",{rows:1,maxLength:Es,placeholder:e.placeholder,"aria-label":e.question,dir:"auto"}),this.stop=c("button",{type:"button",textContent:e.stop,hidden:!0});let n=c("button",{type:"submit",textContent:e.ask}),i=An(e,this.field,()=>this.fit());this.node=c("form",{},this.field,...i,this.stop,n),this.stop.onclick=()=>t.stop(),this.field.oninput=()=>this.fit(),this.field.onkeydown=r=>{r.key!=="Enter"||r.shiftKey||r.isComposing||(r.preventDefault(),this.node.requestSubmit())},this.node.onsubmit=r=>{r.preventDefault();let o=this.field.value.trim();o&&(this.field.value="",this.fit(),t.ask(o))}}get draft(){return this.field.value}set draft(e){this.field.value=e,this.fit()}get hasFocus(){return this.field.matches(":focus")}focus(){this.field.focus()}answering(e){this.stop.hidden=!e}fit(){this.field.rows=Math.min(this.field.value.split(`
`).length,Cs)}};var Rs=[4401,4408],As=4403,De=class{constructor(e,t){this.texts=e;this.again=c("button",{type:"button",textContent:e.tryAgain,hidden:!0}),this.again.onclick=t,this.node.append(this.words,this.again)}texts;node=c("div",{className:"connection"});words=c("span");again;get message(){return this.words.textContent??""}show(e,t=0){this.node.dataset.state=e;let n=this.message;this.words.textContent=e==="refused"?this.refusal(t):this.texts[e],this.again.hidden=e!=="refused",this.node.hidden=!1,this.message!==n&&y(this.node,this.message),this.node.hidden=!this.message}refusal(e){let{texts:t}=this;return Rs.includes(e)?t.refusedSignIn:e===As?T(t.refusedOrigin,{origin:location.origin}):T(t.refused,{code:e})}};var Ls=80,qe=class{constructor(e,t,n){this.scroll=e;this.button=c("button",{type:"button",className:"below",hidden:!0,textContent:n.newBelow}),this.button.onclick=()=>this.toEnd(),e.addEventListener("scroll",()=>this.scrolled(),{passive:!0}),new ResizeObserver(()=>this.isFollowing&&this.toEnd()).observe(t)}scroll;button;isFollowing=!0;top=0;grown(){this.isFollowing||(this.button.hidden=!1)}toEnd(){this.isFollowing=!0,this.button.hidden=!0,this.scroll.scrollTop=this.scroll.scrollHeight}keep(e,t){let n=e.getBoundingClientRect().top;t(),this.isFollowing?this.toEnd():this.scroll.scrollTop+=e.getBoundingClientRect().top-n}scrolled(){let{scrollHeight:e,scrollTop:t,clientHeight:n}=this.scroll;e-t-n<Ls?(this.isFollowing=!0,this.button.hidden=!0):t<this.top&&(this.isFollowing=!1),this.top=t}};function Pn(s,e){let t,n=()=>t?.getClientRects().length;s.addEventListener("focusin",({target:i})=>{t=i instanceof HTMLElement?i:void 0}),s.addEventListener("focusout",()=>queueMicrotask(()=>n()&&!Ln(s)&&(t=void 0))),new MutationObserver(()=>{!t||n()||!s.getClientRects().length||(t=void 0,Ln(s)||e())}).observe(s,{subtree:!0,childList:!0,attributes:!0,attributeFilter:["hidden"]})}function Ln(s){let{activeElement:e}=s.getRootNode();return s.contains(e)&&!!e?.getClientRects().length}function He({displayName:s,turns:e},t){return s||e?.[0]?.query?.text||t.newSession}function Nn(s,e,t,n){let i=He(s,t),r=c("button",{type:"button",className:"title",textContent:i,dir:"auto"});e&&r.setAttribute("aria-current","true"),r.onclick=n.open;let o=s.endTime??s.startTime,a=c("span",{className:"host",textContent:o?new Date(o).toLocaleDateString():""}),l=(p,g)=>{let m=c("button",{type:"button",className:"icon",textContent:p});return m.setAttribute("aria-label",`${p}: ${i}`),m.onclick=g,m},u=l(s.isPinned?t.unpin:t.pin,n.pin),d=l(t.rename,()=>Ps(r,i,t,n)),f=l(t.delete,()=>{if(f.textContent===t.deleteReally)return n.remove();f.textContent=t.deleteReally,f.setAttribute("aria-label",`${t.deleteReally}: ${i}`)}),h=c("div",{className:"buttons"},u,d,l(t.export,n.export),f);return c("li",{"data-pinned":s.isPinned||void 0},r,a,h)}function Ps(s,e,t,{rename:n}){let i=c("input",{type:"text",value:e,maxLength:200,"aria-label":t.rename,dir:"auto"}),r=()=>{i.onblur=null,i.replaceWith(s),s.focus()},o=()=>{let a=i.value.trim();r(),a&&a!==e&&n(a)};i.onblur=o,i.onkeydown=a=>{a.isComposing||!["Enter","Escape"].includes(a.key)||(a.preventDefault(),a.stopPropagation(),a.key==="Enter"?o():r())},s.replaceWith(i),i.select()}var Ns=10,Be=class{constructor(e,t,n){this.chat=e;this.texts=t;this.conversation=n;let i=c("h3",{textContent:t.sessions}),r=c("button",{type:"button",textContent:t.close});r.onclick=()=>this.close(),this.search=c("input",{type:"search","aria-label":t.searchSessions,placeholder:t.searchSessions,dir:"auto"}),this.search.oninput=()=>{this.look()},this.more=c("button",{type:"button",textContent:t.more,hidden:!0}),this.more.onclick=()=>{this.readMore()};let o=c("div",{className:"source-head"},i,r),a=c("div",{className:"source-body"},this.search,this.status,this.rows,this.more);this.node=c("aside",{className:"source",hidden:!0,"aria-label":t.sessions},o,a),this.node.onkeydown=l=>{l.key!=="Escape"||l.defaultPrevented||(l.preventDefault(),this.close())},e.append(this.node)}chat;texts;conversation;node;search;rows=c("ul",{className:"sessions"});status=c("p");more;list;sessions=[];shown=[];next="";before;open(e){this.list=this.conversation.sessions,this.before=e,this.sessions=[],this.next=this.search.value="",this.rows.replaceChildren(),this.cover(!0),this.search.focus(),this.readMore()}close(){this.cover(!1),this.before?.focus()}cover(e){this.node.hidden=!e,this.chat.toggleAttribute("data-source",e);for(let t of this.chat.children)t instanceof HTMLElement&&t!==this.node&&(t.inert=e)}async readMore(){let{list:e}=this,t=await e?.read(this.next);e===this.list&&(this.sessions.push(...t?.sessions??[]),this.next=t?.next??"",this.show(t?"":this.texts.notSent))}async look(){this.show("");for(let e=Ns;e&&this.next&&this.search.value;e-=1)await this.readMore()}show(e){let t=this.search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean),n=this.sessions.filter(r=>{let a=[He(r,this.texts),...(r.turns??[]).map(({query:l})=>l?.text)].join(`
`).toLocaleLowerCase();return t.every(l=>a.includes(l))});n.sort((r,o)=>Number(o.isPinned??!1)-Number(r.isPinned??!1)),this.showRows(n),this.more.hidden=!this.next;let i=e||(n.length?"":this.texts.noSessions);i&&i!==this.status.textContent&&y(this.status,i),this.status.textContent=i}showRows(e){let t=this.rows.querySelector(":focus"),n=[...this.rows.children].findIndex(o=>o.contains(t)),i=t?_n(this.rows.children[n]).indexOf(t):-1,r=this.shown[n];this.shown=e,this.rows.replaceChildren(...e.map(o=>this.row(o))),r&&_n(this.rows.children[e.indexOf(r)])[i]?.focus()}row(e){let{conversation:t,texts:n}=this,i=e.name??"";return Nn(e,i===t.sessionName,n,{open:()=>{t.openSession(i),this.close()},rename:r=>{this.change(e,{displayName:r})},pin:()=>{this.change(e,{isPinned:!e.isPinned})},export:()=>{this.export(e)},remove:()=>{this.remove(e)}})}async change(e,t){let n=await this.list?.change(e.name??"",t);n&&Object.assign(e,t),this.show(n?"":this.texts.notSent)}async remove(e){let t=await this.list?.remove(e.name??"");t&&(this.sessions=this.sessions.filter(n=>n!==e),e.name===this.conversation.sessionName&&this.conversation.startNew()),this.show(t?"":this.texts.notSent),this.search.focus()}async export(e){let t=await this.list?.turns(e.name??"");if(this.show(t?"":this.texts.notSent),!t)return;let n=He(e,this.texts),i=t.map(({query:a,answer:l})=>`## ${a}

${Ie(l,this.texts.sources)}`),r=new Blob([[`# ${n}`,...i].join(`

`),`
`],{type:"text/markdown"}),o=URL.createObjectURL(r);c("a",{href:o,download:`${n.slice(0,60).replace(/[^\p{L}\p{N} -]/gu,"_")}.md`}).click(),setTimeout(()=>URL.revokeObjectURL(o))}};function _n(s){return[...s?.querySelectorAll("button")??[]]}var _s=120,Os=200,Is=200,Fe=class{constructor(e){this.texts=e;this.node.onmouseenter=()=>clearTimeout(this.timer),this.node.onmouseleave=()=>this.hideSoon()}texts;node=c("div",{className:"popover",id:"source",role:"tooltip",hidden:!0});timer;get isOpen(){return!this.node.hidden}show(e,t){clearTimeout(this.timer);let{texts:n}=this,{title:i}=t.source;this.node.replaceChildren(c("b",{textContent:Ms(i||n.untitled,t.evidence.passage.page,n),dir:"auto"}),c("p",{className:"passage",dir:"auto"},...be(t.evidence,_s,Os)));let r=ke(t.support,n);r&&this.node.append(c("p",{className:"support",textContent:r})),this.node.hidden=!1,this.node.scrollTop=0,this.placeBeside(e)}hide(){clearTimeout(this.timer),this.node.hidden=!0}hideSoon(){clearTimeout(this.timer),this.timer=setTimeout(()=>this.hide(),Is)}placeBeside(e){let{style:t}=this.node;t.left=t.top="0px";let n=e.getBoundingClientRect(),i=this.node.getBoundingClientRect(),r=Math.min(Math.max(n.left-20,12),innerWidth-i.width-12),o=n.top-i.height-6;t.left=`${r}px`,t.top=`${o>8?o:n.bottom+4}px`}};function Ms(s,e,t){return e?`${s}, ${T(t.page,{page:e})}`:s}var We=class{constructor(e,t,n,i){this.texts=t;this.tell=n;this.documents=i;this.popover=new Fe(t),this.panel=new ve(t,e,(r,o)=>this.pageLink(r,o),()=>this.popover.hide()),this.previewId=this.popover.node.id,e.append(this.panel.node,this.popover.node),e.addEventListener("keydown",r=>{r.key!=="Escape"||!(this.popover.isOpen||this.panel.isOpen)||(r.preventDefault(),this.popover.isOpen?this.popover.hide():this.panel.close())})}texts;tell;documents;previewId;popover;panel;preview(e,t){this.popover.show(e,t)}endPreview(){this.popover.hideSoon()}open(e,t){this.popover.hide(),this.panel.open(e,t);let{title:n,document:i,uri:r}=t.source;this.tell("citation-open",{title:n,document:i,uri:r})}close(){this.popover.hide(),this.panel.close()}pageLink({uri:e,document:t},n){let{texts:i}=this,r=It(e,n)||L(e);if(r)return c("p",{},H(r,i.openPage));if(!Mt(t))return;let o=c("button",{type:"button",textContent:i.openPage}),a=c("span");return o.onclick=async()=>{a.textContent="",!await this.documents.openDocument(t,n)&&(a.textContent=i.notOpened,y(o,i.notOpened))},c("p",{},o," ",a)}};var Ue=class{constructor(e,t){this.texts=e;this.sources=t}texts;sources;node=c("div",{className:"text",part:"text",dir:"auto"});blocks=[];proof;get words(){let e=this.node.cloneNode(!0);for(let t of e.querySelectorAll(".cites, button"))t.remove();for(let t of e.querySelectorAll("p, li, h4, pre, th, td"))t.append(" ");return e.textContent??""}show(e,t,n=[]){this.proof=t,n.length===1&&(this.node.lang=n[0]??"");let i=e.skippedReasons.length>0,r=e.before.length>e.text.length;this.node.classList.toggle("before",r);let o=r?e.before:e.text,l=(i?[]:_e(o,!A(e.state))).map((u,d)=>{let f=r?[]:t.indexesIn(u.start,u.end),h=JSON.stringify(f.map(g=>[g,t.numbers.get(g)])),p=this.blocks[d];return p&&p.shown===u.shown&&p.marks===h?p:{shown:u.shown,marks:h,node:this.blockWith(u,f,t)}});l.forEach(({node:u},d)=>{let f=this.blocks[d]?.node;f!==u&&(f?f.replaceWith(u):this.node.append(u))});for(let{node:u}of this.blocks.slice(l.length))u.remove();this.blocks=l}blockWith(e,t,n){let{texts:i}=this,r=Oe(e.token,a=>Cn(i,i.copy,()=>a));if(!t.length)return r;let o=c("span",{className:"cites"});for(let a of t){let l=u=>u.cited(a,e.start,e.end);o.append(this.mark(l(n),()=>l(this.proof??n)))}return On(r).append(o),r}mark(e,t){let{texts:n,sources:i}=this,{number:r,source:o}=e,a=c("button",{type:"button",className:"cite",textContent:String(r),"aria-label":T(n.source,{number:r,title:o.title||n.untitled}),"aria-describedby":i.previewId});return a.onmouseenter=a.onfocus=()=>i.preview(a,t()),a.onmouseleave=a.onblur=()=>i.endPreview(),a.onclick=()=>i.open(a,t()),a}};function On(s){let e=s.lastElementChild;return(s.tagName==="OL"||s.tagName==="UL"||s.tagName==="LI")&&e instanceof HTMLElement&&["LI","OL","UL","P"].includes(e.tagName)?On(e):s}function In(s,e,t){if(!s)return[];let n=c("span",{textContent:s.text||e.contact,dir:"auto"}),i=L(s.uri??"");if(!i)return[n];let r=H(i,e.contactLink);return r.className="contact",r.onclick=()=>t(i),[n,r]}function Mn(s,e,t,n=e.place){if(t!=="nothing")return t==="answer"?e.waiting:e.queued;switch(s.state){case"QUEUED":case"SENT":return e.sending;case"IN_PROGRESS":case"STREAMING":return $s(s,e,n);case"SUCCEEDED":return s.skippedReasons.length?zs(s.skippedReasons,e,n):s.references.length?e.answered:"";case"FAILED":return oe(s.error)==="CANCELLED"?e.stopped:s.error?.status==="RESOURCE_EXHAUSTED"?e.failedBusy:e.failed}}function $s(s,e,t){if(s.resets)return e.rewriting;if(s.text)return e.writing;let{references:n}=s;return n.length?T(e.reading,{count:n.length}):T(e.searching,{place:t})}function zs(s,e,t){let n={place:t};switch(s[0]){case"NON_ANSWER_SEEKING_QUERY_IGNORED":case"NON_ANSWER_SEEKING_QUERY_IGNORED_V2":return T(e.refusedSmallTalk,n);case"ADVERSARIAL_QUERY_IGNORED":return e.refusedHarmful;case"JAIL_BREAKING_QUERY_IGNORED":return T(e.refusedJailbreak,n);case"POTENTIAL_POLICY_VIOLATION":case"CUSTOMER_POLICY_VIOLATION":case"USER_DEFINED_CLASSIFICATION_QUERY_IGNORED":return e.refusedPolicy;default:return T(e.noAnswer,n)}}function $n(s){let[e]=s.skippedReasons;return["OUT_OF_DOMAIN_QUERY_IGNORED","NO_RELEVANT_CONTENT","LOW_GROUNDED_ANSWER","UNHELPFUL_ANSWER"].includes(e??"")}var Ds=3,qs=3,Hs="M3 17.3V21h3.7L17.8 9.9l-3.7-3.7zM20.7 7a1 1 0 0 0 0-1.4l-2.3-2.3a1 1 0 0 0-1.4 0l-1.8 1.8 3.7 3.7z",je=class{constructor(e,t,n){this.turn=e;this.texts=t;this.actions=n;this.text=new Ue(t,n.sources),this.article=c("article",{"aria-label":t.answer},this.state,this.text.node,this.rest),this.node=c("li",{},this.question(),this.article),this.paint()}turn;texts;actions;node;article;state=c("div",{className:"state"});text;rest=c("div");tools;frame;made="";hasEnded=!1;changed(){this.frame??=requestAnimationFrame(()=>{this.frame=void 0,this.paint()})}question(){let{texts:e,turn:t,actions:n}=this,i=c("h3",{className:"query",textContent:t.query,dir:"auto"}),r=c("button",{type:"button",className:"icon",title:e.editQuestion,"aria-label":e.editQuestion});return r.append(E(Hs)),r.onclick=()=>n.edit(t.query),c("div",{className:"asked"},r,i)}paint(){let{answer:e}=this.turn,t=new I(e);this.article.setAttribute("aria-busy",String(q(e.state))),this.article.dataset.state=e.state,this.article.toggleAttribute("data-refused",e.skippedReasons.length>0);let n=this.actions.waitsFor(this.turn),{config:i}=this.actions,r=this.state.textContent,o=Mn(e,this.texts,n,i.displayName);this.state.textContent=o,this.text.show(e,t,i.languageCodes),!this.hasEnded&&o!==r&&this.speak(o);let{state:a,relatedQuestions:l,skippedReasons:u,references:d,resets:f}=e,{contact:h}=i,p=JSON.stringify([a,[...t.numbers],l,u,d.length,f,h,n]);p!==this.made&&(this.made=p,this.rest.replaceChildren(...u.length?this.help(e):this.sources(t),...n==="nothing"?[]:[this.takeBack()],...this.toolsOf(e),...this.related(e)))}speak(e){this.hasEnded=A(this.turn.answer.state),y(this.node,this.hasEnded?`${e} ${this.text.words}`:e)}takeBack(){let e=c("button",{type:"button",textContent:this.texts.takeBack});return e.onclick=()=>this.actions.takeBack(this.turn),c("div",{className:"help"},e)}toolsOf({state:e}){return A(e)?(this.tools??=new $e(this.turn,this.texts,this.actions),[this.tools.node]):[]}sources(e){let t=c("ol",{className:"sources","aria-label":this.texts.sources});for(let n of e.numbers.keys()){let{title:i}=e.cited(n).source,r=c("button",{type:"button",textContent:i||this.texts.untitled,dir:"auto"});r.onclick=()=>this.actions.sources.open(r,new I(this.turn.answer).cited(n)),t.append(c("li",{},r))}return t.childElementCount?[t]:[]}help(e){let{texts:t,actions:n,turn:i}=this,r=[];if($n(e)){let l=c("ul",{className:"sources nearest","aria-label":t.nearest});e.references.slice(0,Ds).forEach((u,d)=>{let f=ot(u,d),h=ye([],f.passages),p={number:d+1,source:f,evidence:h,support:void 0},g=c("button",{type:"button",textContent:f.title||t.untitled,dir:"auto"});g.onclick=()=>n.sources.open(g,p),l.append(c("li",{},g))}),l.childElementCount&&r.push(c("p",{textContent:t.nearest}),l)}let o=c("button",{type:"button",textContent:t.editQuestion});o.onclick=()=>n.edit(i.query);let a=In(n.config.contact,t,l=>n.handover(i.query,l));return[...r,c("div",{className:"help"},o,...a)]}related({relatedQuestions:e}){let t=e.slice(0,qs);return kt(t,this.texts.related,n=>this.actions.ask(n))}};function kt(s,e,t){if(!s.length)return[];let n=c("div",{className:"related",role:"group","aria-label":e});for(let i of s){let r=c("button",{type:"button",textContent:i,dir:"auto"});r.onclick=()=>t(i),n.append(r)}return[n]}function zn(s,{starterQuestions:e=[]},t){let n=c("div",{className:"welcome"},c("p",{textContent:s.welcome}));return n.append(...kt(e,s.starters,t)),n}var Bs="M4 5h16v2H4zm0 6h16v2H4zm0 6h16v2H4z",Ge=class{constructor(e,t,n,i=!1){this.conversation=e;this.texts=t;this.tell=n;this.isWholePage=i;this.composer=new ze(t,{ask:u=>this.ask(u),stop:()=>this.conversation.stop()}),this.turns=c("ol",{className:"turns","aria-label":t.answers}),this.welcome=this.welcoming(),this.connection=new De(t,()=>e.retry()),this.earlier=c("button",{type:"button",className:"earlier",textContent:t.earlier,hidden:!0}),this.earlier.onclick=()=>{e.readEarlier()};let r=c("div",{className:"scroll"},this.welcome,this.earlier,this.turns);i&&r.prepend(c("h2",{className:"unseen",textContent:t.answers})),this.following=new qe(r,this.turns,t),new IntersectionObserver(([u])=>u?.isIntersecting&&this.earlier.click(),{root:r}).observe(this.earlier);let{sessions:a}=t;this.list=c("button",{type:"button",className:"icon",title:a,"aria-label":a}),this.list.append(E(Bs)),this.list.onclick=()=>{this.sources.close(),this.sessions.open(this.list)};let l=i?"main":"section";this.node=c(l,{className:"panel",part:"panel","aria-label":t.title}),Pn(this.node,()=>this.composer.focus()),this.node.append(this.head(),this.connection.node,r,this.following.button,this.composer.node),this.sessions=new Be(this.node,t,e),this.sources=new We(this.node,t,n,e),e.listen(this);for(let u of e.turns.values())this.turnAdded(u);this.showEarlier(),this.showConnection()}conversation;texts;tell;isWholePage;node;composer;connection;turns;welcome;following;earlier;sources;sessions;list;views=new Map;ask(e){let t=this.conversation.ask(e);return this.tell("question",{query:e}),this.following.toEnd(),t}connectionChanged(){this.showConnection();for(let{id:i}of this.conversation.turns.waiting)this.views.get(i)?.changed();let{connectionState:e,closeCode:t}=this.conversation,{message:n}=this.connection;e==="ready"&&this.tell("ready",{}),e==="refused"&&this.tell("error",{code:t??0,message:n})}configured(){let e=this.welcoming();e.hidden=this.welcome.hidden,this.welcome.replaceWith(e),this.welcome=e;for(let t of this.views.values())t.changed()}turnAdded(e){this.turns.append(this.viewOf(e).node),this.welcome.hidden=!0,this.refresh(),this.following.grown()}earlierAdded(e){let t=this.turns.firstElementChild,n=()=>{this.turns.prepend(...e.map(i=>this.viewOf(i).node)),this.showEarlier()};t instanceof HTMLElement?this.following.keep(t,n):n(),this.welcome.hidden||=e.length>0,this.refresh()}turnChanged(e){this.views.get(e.id)?.changed(),this.following.grown(),this.refresh(),this.tellEnd(e)}turnRemoved(e){this.views.get(e.id)?.node.remove(),this.views.delete(e.id),this.refresh()}emptied(){this.sources.close(),this.views.clear(),this.turns.replaceChildren(),this.welcome.hidden=!1,this.showEarlier(),this.refresh(),this.composer.focus()}tellEnd({query:e,answer:t}){let{name:n,text:i,state:r,skippedReasons:o}=t;if(!(r!=="SUCCEEDED"&&r!=="FAILED")){for(let{id:a}of this.conversation.turns.running)this.views.get(a)?.changed();this.tell("answer",{query:e,name:n,text:i,state:r,refused:o.length>0})}}get draft(){return this.composer.draft}set draft(e){this.composer.draft=e}get isWriting(){return this.composer.hasFocus}write(){this.composer.focus()}turnActions(){let{conversation:e,sources:t,composer:n,tell:i}=this;return{sources:t,get config(){return e.config},ask:r=>this.ask(r),waitsFor:r=>e.waitsFor(r),takeBack:r=>{e.takeBack(r),n.draft||=r.query,n.focus()},edit:r=>{n.draft=r,n.focus()},rate:(r,o)=>{let{isHelpful:a,reasons:l,comment:u}=o;return i("feedback",{answer:r.answer.name,helpful:a,reasons:l,comment:u}),e.rate(r,o)},handover:(r,o)=>i("handover",{query:r,contact:o})}}welcoming(){return zn(this.texts,this.conversation.config,e=>this.ask(e))}head(){let e=c("button",{type:"button",textContent:this.texts.newSession});e.onclick=()=>this.conversation.startNew();let t=c(this.isWholePage?"h1":"h2",{textContent:this.texts.title});return c("header",{},t,this.list,e)}showConnection(){let{connectionState:e,closeCode:t}=this.conversation;this.connection.show(e,t),this.list.hidden=!this.conversation.sessions}showEarlier(){this.earlier.hidden=!this.conversation.hasEarlier}viewOf(e){let t=new je(e,this.texts,this.turnActions());return this.views.set(e.id,t),t}refresh(){this.composer.answering(this.conversation.isAnswering)}};var Fs=100,Ws="projects/colloquy/locations/global/collections/default_collection/dataStores/guide/servingConfigs/default_config",Qe=class extends HTMLElement{static observedAttributes=["endpoint","serving-config","form","heading","placeholder","lang"];conversation;panel;launcher;context={};ownTexts={};spoken=Et();constructor(){super(),this.attachShadow({mode:"open"}).adoptedStyleSheets=[st,Ze];let e=Object.getOwnPropertyDescriptor(this,"texts");e&&(Reflect.deleteProperty(this,"texts"),this.texts=e.value)}connectedCallback(){this.panel||this.build(),addEventListener("hashchange",this.takeLinked);for(let e of["resize","scroll"])visualViewport?.addEventListener(e,this.fit);this.takeLinked()}disconnectedCallback(){removeEventListener("hashchange",this.takeLinked);for(let e of["resize","scroll"])visualViewport?.removeEventListener(e,this.fit);setTimeout(()=>{this.isConnected||this.end()})}attributeChangedCallback(e,t,n){if(!this.panel||t===n)return;let i=this.written();(e==="endpoint"||e==="serving-config")&&this.end(),this.isConnected&&this.build(i)}get texts(){return this.ownTexts}set texts(e){this.ownTexts={...e},this.panel&&this.isConnected&&this.build()}open(){this.launcher?.open()}close(){this.launcher?.close()}ask(e){let t=e.trim();t&&(this.open(),this.panel?.ask(t))}setContext(e){this.context={...e},this.conversation&&(this.conversation.context=this.context)}takeLinked=()=>{let e=Tt();!e||!this.panel||(this.panel.draft=e,this.open())};fit=()=>{let{node:e}=this.launcher??this.panel??{};if(!e||!visualViewport)return;let{scale:t,height:n,offsetTop:i}=visualViewport,r=t===1&&innerHeight-n>Fs;e.style.setProperty("--_visible",r?`${n}px`:""),e.style.setProperty("--_top",r?`${i}px`:"")};newSession(){this.conversation?.startNew()}build({draft:e,isWriting:t}=this.written()){this.conversation??=new xe(this.place(),()=>this.tokenProvider),this.conversation.context=this.context,this.conversation.speak(this.languagesAsked()[0]??"en");let{code:n,direction:i,texts:r}=this.language(),o=this.launcher?.isOpen,a=this.getAttribute("form"),l=(d,f)=>this.tell(d,f);this.panel=new Ge(this.conversation,r,l,a==="page"),this.panel.draft=e,this.launcher=a==="launcher"?new we(r,this.panel.node):void 0;let{node:u}=this.launcher??this.panel;for(let d of[u,this.spoken])d.lang=n,d.dir=i;this.spoken.isConnected||this.shadowRoot?.append(this.spoken),this.spoken.previousElementSibling?.remove(),this.spoken.before(u),o&&this.launcher?.open(),t&&this.panel.write()}written(){return{draft:this.panel?.draft??"",isWriting:this.panel?.isWriting??!1}}place(){let e=new URL(this.getAttribute("endpoint")??"/v1/ws",import.meta.url);return e.protocol=e.protocol.replace(/^http/,"ws"),{socket:e.href,servingConfig:this.getAttribute("serving-config")??Ws}}language(){let e=Kt(this.languagesAsked()),{texts:t}=e,n=this.getAttribute("heading")??t.title,i=this.getAttribute("placeholder")??t.placeholder;return{...e,texts:{...t,title:n,placeholder:i,...this.ownTexts}}}languagesAsked(){return[this.lang,document.documentElement.lang,...navigator.languages].filter(Boolean)}end(){this.conversation?.close(),this.conversation=this.panel=this.launcher=void 0,this.shadowRoot?.replaceChildren()}tell(e,t){e==="answer"&&this.launcher?.markUnread();let n=new CustomEvent(e,{detail:t});this.dispatchEvent(n)}};customElements.get("colloquy-chat")||customElements.define("colloquy-chat",Qe);for(let s of document.querySelectorAll('script[type="module"][data-form]')){if(s.src!==import.meta.url)continue;let e=document.createElement("colloquy-chat");for(let{name:t,value:n}of s.attributes)t.startsWith("data-")&&e.setAttribute(t.slice(5),n);document.body.append(e)}export{Qe as ColloquyChat};
/*! marked: (c) 2018-2026 MarkedJS, (c) 2011-2018 Christopher Jeffrey. MIT License */
